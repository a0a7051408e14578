/* memset wipes the only pointer. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct holder { int a; char *text; };

int main(void)
{
    struct holder h;
    h.a = 1;
    h.text = malloc(8);
    h.text[0] = 0;
    if (__VERIFIER_nondet_int())
        memset(&h, 0, sizeof h); //~ ERROR leak
    free(h.text);
    return 0;
}
