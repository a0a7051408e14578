//~ SAFE
/* A hash table with chains. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { unsigned key; struct entry *next; };

int main(void)
{
    struct entry *buckets[3] = {NULL, NULL, NULL};
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        e->key = (unsigned)__VERIFIER_nondet_int();
        e->next = buckets[e->key % 3];
        buckets[e->key % 3] = e;
    }
    for (int b = 0; b < 3; b++)
        while (buckets[b]) {
            struct entry *e = buckets[b];
            buckets[b] = e->next;
            free(e);
        }
    return 0;
}
