//~ SAFE
/* A queue of elements with one handler. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { void (*done)(struct job *); struct job *next; };

static int finished;
static void finish(struct job *j) { finished++; free(j); }

int main(void)
{
    struct job *first = NULL, **last = &first;
    while (__VERIFIER_nondet_int()) {
        struct job *j = malloc(sizeof *j);
        j->done = finish;
        j->next = NULL;
        *last = j;
        last = &j->next;
    }
    while (first && finished < 1000000) {
        struct job *j = first;
        first = j->next;
        j->done(j);
    }
    while (first) {
        struct job *j = first;
        first = j->next;
        free(j);
    }
    return 0;
}
