/* A slot is filled again without freeing what it held. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *slots[3] = {NULL};
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (i >= 0 && i < 3)
            slots[i] = malloc(2); //~ ERROR leak
    }
    for (int i = 0; i < 3; i++)
        free(slots[i]);
    return 0;
}
