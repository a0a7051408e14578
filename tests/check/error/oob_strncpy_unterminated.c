/* `strncpy` leaves a text without end where the limit cuts it. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *copy = malloc(4);
    strncpy(copy, "four", 4);
    size_t n = strlen(copy); //~ ERROR out-of-bounds
    free(copy);
    return (int)n;
}
