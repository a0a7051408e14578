/* The slot is not cleared after its block was freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *slots[2];
    slots[0] = malloc(sizeof(int));
    slots[1] = malloc(sizeof(int));
    int i = __VERIFIER_nondet_int();
    if (i == 0 || i == 1)
        free(slots[i]);
    for (int k = 0; k < 2; k++)
        free(slots[k]); //~ ERROR double-free
    return 0;
}
