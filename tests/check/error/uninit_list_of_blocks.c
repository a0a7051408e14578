/* Blocks of three numbers each, not all of which are filled. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct block { struct block *older; int count; int value[3]; };

static int sum(const struct block *b)
{
    int n = 0;
    for (int i = 0; i < b->count; i++)
        n ^= b->value[i];
    return n;
}

int main(void)
{
    struct block *open = NULL;
    while (__VERIFIER_nondet_int()) {
        if (!open || open->count == 3) {
            struct block *b = malloc(sizeof *b);
            b->older = open;
            b->count = 0;
            open = b;
        }
        if (__VERIFIER_nondet_int()) open->value[open->count] = 7;
        open->count++;
    }
    int n = 0;
    while (open) {
        struct block *b = open;
        n ^= sum(b);
        open = b->older;
        free(b);
    }
    return n != 0; //~ ERROR uninitialised
}
