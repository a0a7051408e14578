//~ SAFE
/* Functions registered for the end run in the reverse order. */
#include <stdlib.h>
static int *g;
static int **holder;
static void drop_value(void) { free(*holder); }
static void drop_holder(void) { free(holder); }
int main(void) {
    holder = malloc(sizeof *holder);
    g = malloc(sizeof *g);
    *holder = g;
    atexit(drop_holder);
    atexit(drop_value);
    *g = 1;
    return *g - 1;
}
