/* No room for the terminating zero. */
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s)
{
    char *d = malloc(strlen(s));
    strcpy(d, s); //~ ERROR out-of-bounds
    return d;
}

int main(void)
{
    char *d = duplicate("four");
    free(d);
    return 0;
}
