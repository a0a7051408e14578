/* In each row the begin is at most the end. */
#include "relations.h"

struct span {
    struct span *next;
    int begin, end;
};

int main(void)
{
    struct span *calendar = NULL, *s;

    while (__VERIFIER_nondet_int()) {
        int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();

        s = malloc(sizeof *s);
        if (s == NULL)
            return 0;
        s->begin = MUTANT_1(a, a < b ? a : b);
        s->end = a < b ? b : a;
        MUTANT_1(s->end = b, (void)0);
        s->next = calendar;
        calendar = s;
    }
    for (s = calendar; s != NULL; s = s->next)
        assert(s->begin MUTANT_2(<, <=) s->end);
    return 0;
}
