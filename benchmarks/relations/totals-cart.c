/* The total of a cart is not less than any price in it. */
#include "relations.h"

int main(void)
{
    struct node *cart = NULL;
    long total = 0;

    while (__VERIFIER_nondet_int()) {
        int price = __VERIFIER_nondet_int();

        if (MUTANT_1(price > 1000, price < 0 || price > 1000) || total > 1000000)
            continue;
        cart = cons(price, cart);
        total += price;
        MUTANT_2(total -= price == 3, (void)0);
    }
    for (; cart != NULL; cart = cart->next)
        assert(cart->key <= total);
    return 0;
}
