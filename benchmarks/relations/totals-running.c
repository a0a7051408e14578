/* Each entry holds the total of those before it: totals do not get less. */
#include "relations.h"

int main(void)
{
    struct node *log = NULL;
    int total = 0;

    while (__VERIFIER_nondet_int() && total < 1000000) {
        int amount = __VERIFIER_nondet_int();

        if (MUTANT_1(amount > 100, amount < 0 || amount > 100))
            amount = 1;
        total += amount;
        log = cons(total, log);
        assert(log->next == NULL || log->key >= log->next->key MUTANT_2(+ 1, ));
    }
    for (; log != NULL && log->next != NULL; log = log->next)
        assert(log->next->key <= log->key);
    return 0;
}
