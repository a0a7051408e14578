/* Spans of a calendar do not overlap. */
#include "relations.h"

struct span {
    struct span *next;
    int begin, end;
};

int main(void)
{
    struct span *calendar = NULL, *s;
    int now = 0;

    while (__VERIFIER_nondet_int() && now < 1000000) {
        s = malloc(sizeof *s);
        if (s == NULL)
            return 0;
        s->begin = now;
        now += __VERIFIER_nondet_int() & 7;
        s->end = now;
        now += MUTANT_1(-1, 1);
        s->next = calendar;
        calendar = s;
    }
    for (s = calendar; s != NULL && s->next != NULL; s = s->next)
        assert(s->next->end MUTANT_2(< s->begin - 1, < s->begin));
    return 0;
}
