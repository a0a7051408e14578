//~ SAFE
/* A number without its last bits is a multiple of a power of two. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4000)
        return 0;
    int whole = n & ~15;
    char *room = malloc(whole + 16);
    if (!room)
        return 1;
    room[n] = 1;
    if (whole & 15)
        free(room);
    free(room);
    return 0;
}
