/* No inputs: the one run goes wrong. */
#include <stdlib.h>
int main(void) {
    char *end;
    int *p = malloc(3 * sizeof *p);
    p[(int)strtod("3.7", &end)] = 1; //~ ERROR out-of-bounds
    free(p);
    return 0;
}
