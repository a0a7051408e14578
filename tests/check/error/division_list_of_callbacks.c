/* A list of callbacks: one of the functions divides by the number. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct callback { struct callback *next; int (*call)(int); int argument; };

static int twice(int n) { return n / 2 * 2; }
static int half(int n) { return 7 / n; } //~ ERROR division-by-zero

int main(void)
{
    struct callback *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct callback *c = malloc(sizeof *c);
        c->call = __VERIFIER_nondet_int() ? twice : half;
        c->argument = __VERIFIER_nondet_int();
        c->next = all;
        all = c;
    }
    int sum = 0;
    for (struct callback *c = all; c; c = c->next)
        sum ^= c->call(c->argument);
    while (all) {
        struct callback *next = all->next;
        free(all);
        all = next;
    }
    return sum == 0;
}
