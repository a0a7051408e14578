/* A stream is used after it was closed. */
// not seen by sanitizers: the library is not instrumented
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    FILE *f = tmpfile();
    if (!f)
        return 1;
    if (__VERIFIER_nondet_int())
        fclose(f);
    fputs("text", f); //~ ERROR use-after-free
    return 0;
}
