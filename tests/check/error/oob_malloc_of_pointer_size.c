/* The size of the pointer instead of the size of the object. */
#include <stdlib.h>

struct node { long a, b; struct node *next; };

int main(void)
{
    struct node *n = malloc(sizeof n);
    n->a = 1;
    n->b = 2; //~ ERROR out-of-bounds
    free(n);
    return 0;
}
