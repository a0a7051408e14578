/* The length is that of the larger struct. */
#include <stdlib.h>
#include <string.h>

struct small { int a; };
struct large { int a, b, c, d; };

int main(void)
{
    struct large l = {1, 2, 3, 4};
    struct small *s = malloc(sizeof *s);
    memcpy(s, &l, sizeof l); //~ ERROR out-of-bounds
    free(s);
    return 0;
}
