//~ SAFE
//~ TODO unknown-pointer: nothing is known of the pointer; it may be null
/* No inputs: one run is all runs, floating numbers and texts included. */
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *text = "1.5,2.25,3";
    double sum = 0;
    int *p = malloc(7 * sizeof *p);
    while (*text) {
        char *end;
        sum += strtod(text, &end);
        text = *end ? end + 1 : end;
    }
    p[(int)sum] = 1;
    int r = p[6] - 1;
    free(p);
    return r;
}
