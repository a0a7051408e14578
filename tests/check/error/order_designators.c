/* Compilers evaluate designated initialisers in the order of the members, C leaves it open. */
// needs certain inputs
#include <stdlib.h>

struct pair { int first, second; };

static int gone(int *p)
{
    free(p);
    return 0;
}

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 3;
    struct pair pair = { .second = *p, .first = gone(p) }; //~ ERROR use-after-free
    return pair.second;
}
