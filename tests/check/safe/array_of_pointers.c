//~ SAFE
/* A fixed array of owned blocks, some of them absent. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *slots[4] = {NULL};
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (i < 0 || i >= 4)
            continue;
        if (slots[i]) {
            free(slots[i]);
            slots[i] = NULL;
        } else {
            slots[i] = malloc(sizeof(int));
            *slots[i] = i;
        }
    }
    for (int i = 0; i < 4; i++)
        free(slots[i]);
    return 0;
}
