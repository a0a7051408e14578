/* Only one byte of the word was written. */
#include <stdlib.h>

union view { int word; char byte; };

int main(void)
{
    union view *v = malloc(sizeof *v);
    v->byte = 1;
    if (v->word == 1) { //~ ERROR uninitialised
        free(v);
        return 1;
    }
    free(v);
    return 0;
}
