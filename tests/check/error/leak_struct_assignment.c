/* A whole struct is overwritten with the pointer in it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct box { int n; int *data; };

int main(void)
{
    struct box a = {1, malloc(sizeof(int))}, empty = {0, NULL};
    *a.data = 1;
    if (__VERIFIER_nondet_int())
        a = empty; //~ ERROR leak
    free(a.data);
    return 0;
}
