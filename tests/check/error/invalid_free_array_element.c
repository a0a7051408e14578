/* The second element of a block is no block of its own. */
#include <stdlib.h>

struct pair { int a, b; };

int main(void)
{
    struct pair *v = malloc(2 * sizeof *v);
    v[0].a = v[1].a = 1;
    for (int i = 1; i >= 0; i--)
        free(&v[i]); //~ ERROR invalid-free
    return 0;
}
