/* A stream is closed by whoever failed and then by its owner. */
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static int fill(FILE *f)
{
    if (__VERIFIER_nondet_int()) {
        fclose(f);
        return -1;
    }
    fputs("text", f);
    return 0;
}

int main(void)
{
    FILE *f = tmpfile();
    if (!f)
        return 1;
    fill(f);
    fclose(f); //~ ERROR double-free
    return 0;
}
