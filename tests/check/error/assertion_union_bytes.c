/* The byte order is the other way round. */
#include <assert.h>

union u { unsigned w; unsigned char b[4]; };

int main(void)
{
    union u u;
    u.w = 1;
    assert(u.b[3] == 1); //~ ERROR assertion
    return 0;
}
