//~ SAFE
/* Arrays in values that functions return, used while the full expression is evaluated. */
#include <assert.h>

struct row { int cell[4]; };
struct named { char name[4]; int first; };

static struct row numbered(int first)
{
    struct row r = { { first, 2, 3, 4 } };
    return r;
}

static int ends(const int *p)
{
    return p[0] + p[3];
}

int main(void)
{
    int x = ends(numbered(3).cell), y[2] = { numbered(7).cell[0], numbered(8).cell[1] };
    struct named n = { "abc", numbered(9).cell[0] };
    x += ends(numbered(1).cell) > 4 ? 1 : 0;
    assert(x == 8 && y[0] == 7 && y[1] == 2 && n.name[2] == 'c' && n.first == 9);
    return 0;
}
