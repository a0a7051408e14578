//~ SAFE
/* Nothing is copied from nowhere. */
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *d = malloc(4);
    d[0] = 0;
    char *none = d[0] ? d : 0;
    if (none)
        memcpy(d, none, 0);
    int r = d[0];
    free(d);
    return r;
}
