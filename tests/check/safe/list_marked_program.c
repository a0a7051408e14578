//~ SAFE
/* A program of instructions of three sorts in any order, ended by a mark instead of a count. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum op { PUSH = 10, POP = 11, ADD = 12, HALT = 20 };
struct instruction { enum op op; struct instruction *next; };

int main(void)
{
    struct instruction *code = malloc(sizeof *code), *last = code;
    while (__VERIFIER_nondet_int()) {
        switch (__VERIFIER_nondet_int()) {
        case 0: last->op = PUSH; break;
        case 1: last->op = POP; break;
        default: last->op = ADD; break;
        }
        last->next = malloc(sizeof *last);
        last = last->next;
    }
    last->op = HALT;
    last->next = NULL;
    struct instruction *at = code;
    while (at->op != HALT) {
        assert(at->op >= PUSH && at->op <= ADD);
        at = at->next;
    }
    while (code) {
        at = code->next;
        free(code);
        code = at;
    }
    return 0;
}
