/* What runs at the end frees again. */
#include <stdlib.h>
static int *g;
static void done(void) {
    free(g); //~ ERROR double-free
}
int main(void) {
    g = malloc(4);
    atexit(done);
    free(g);
    return 0;
}
