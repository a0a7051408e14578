#include <complex.h>
#include <stdio.h>
#include <string.h>

/* Complex values stored, copied, passed and returned, never computed with. */
struct sample { int id; double _Complex z; float _Complex small; };

static double _Complex pass(double _Complex z) { return z; }
static struct sample wrap(int id, double _Complex z)
{
    struct sample s = {id, z, 0};
    return s;
}
static double _Complex table[3];

int main(void)
{
    double parts[2] = {1.5, -2.25};
    double _Complex z;
    memcpy(&z, parts, sizeof z);
    double _Complex copy = pass(z);
    struct sample s = wrap(7, copy);
    table[1] = s.z;
    double back[2];
    memcpy(back, &table[1], sizeof back);
    printf("%d %g %g\n", s.id, back[0], back[1]);
    printf("%d %d %d\n", (int)sizeof(float _Complex), (int)sizeof(complex double), (int)sizeof(struct sample) > 0);
    double _Complex *p = &table[2];
    *p = z;
    printf("%d\n", memcmp(p, parts, sizeof *p));
    return 0;
}
