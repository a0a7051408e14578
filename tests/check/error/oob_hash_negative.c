/* The remainder of a negative key is negative. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { struct entry *next; };

int main(void)
{
    struct entry **buckets = calloc(4, sizeof *buckets);
    int key = __VERIFIER_nondet_int();
    struct entry *e = buckets[key % 4]; //~ ERROR out-of-bounds
    int empty = e == NULL;
    free(buckets);
    return !empty;
}
