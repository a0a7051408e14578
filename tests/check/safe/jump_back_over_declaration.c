//~ SAFE
/* Going back over a declaration in the same block does not end the variable: only its value is gone when control
   comes to the declaration again, and what an initialiser is skipped over keeps its value. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *last = NULL;
    int *seen = NULL;
    int rounds = 0;
again:;
    struct node here;
    int x;
    if (seen)
        *seen = 1;
    if (last)
        last->value = 2;
    x = 0;
    here.next = NULL;
    here.value = x;
    seen = &x;
    last = &here;
    if (rounds++ < 3)
        goto again;
    if (rounds > 4)
        goto skip;
    int kept = 7;
skip:
    if (kept == 7 && rounds < 6) {
        rounds = 6;
        goto skip;
    }
    return *seen + last->value;
}
