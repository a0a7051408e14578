//~ SAFE
/* Bytes and word of one object. */
#include <assert.h>
#include <stdlib.h>

union view { unsigned word; unsigned char byte[4]; };

int main(void)
{
    union view *v = malloc(sizeof *v);
    v->word = 0;
    v->byte[0] = 0xff;
    assert(v->word != 0);
    for (int i = 0; i < 4; i++)
        v->byte[i] = 1;
    assert(v->word == 0x01010101u);
    free(v);
    return 0;
}
