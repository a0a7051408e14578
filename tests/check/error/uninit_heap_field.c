/* One field of the node is forgotten. */
#include <stdlib.h>

struct point { int x, y; };

int main(void)
{
    struct point *p = malloc(sizeof *p);
    p->x = 1;
    if (p->x > 0 && p->y > 0) { //~ ERROR uninitialised
        free(p);
        return 1;
    }
    free(p);
    return 0;
}
