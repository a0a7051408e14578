/* A block that is made empty is gone. */
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    int *q = realloc(p, 0);
    *p = 1; //~ ERROR use-after-free
    free(q);
    return 0;
}
