/* The last registered runs first. */
#include <stdlib.h>
static int **holder;
static void drop_value(void) {
    free(*holder); //~ ERROR use-after-free
}
static void drop_holder(void) { free(holder); }
int main(void) {
    holder = malloc(sizeof *holder);
    *holder = malloc(4);
    atexit(drop_value);
    atexit(drop_holder);
    return 0;
}
