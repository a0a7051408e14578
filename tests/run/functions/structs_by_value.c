#include <stdio.h>

struct small { char a; };
struct pair { int a, b; };
struct mixed { double d; int i; float f; };
struct large { int v[20]; };
struct nest { struct pair p[2]; struct small s; };
union choice { int i; double d; };

static struct small s1(struct small s) { s.a++; return s; }
static struct pair flip(struct pair p) { struct pair r = {p.b, p.a}; return r; }
static struct mixed mix(struct mixed m, int k) { m.d *= k; m.i += k; m.f -= k; return m; }
static struct large fill(int start)
{
    struct large l;
    for (int i = 0; i < 20; i++)
        l.v[i] = start + i;
    return l;
}
static int total(struct large l, struct large m)
{
    int s = 0;
    for (int i = 0; i < 20; i++)
        s += l.v[i] * (i % 2 ? 1 : -1) + m.v[19 - i];
    l.v[0] = 1000;
    return s;
}
static struct nest grow(struct nest n) { n.p[1] = flip(n.p[0]); n.s = s1(n.s); return n; }
static union choice as_double(union choice c) { c.d = c.i / 2.0; return c; }

int main(void)
{
    struct small s = {'x'};
    printf("%c %c\n", s1(s).a, s.a);
    struct pair p = {1, 2};
    p = flip(flip(flip(p)));
    printf("%d %d %d\n", p.a, p.b, flip(p).a);
    struct mixed m = mix((struct mixed){1.5, 2, 3.5f}, 2);
    printf("%g %d %g\n", m.d, m.i, m.f);
    struct large l = fill(3);
    printf("%d %d\n", total(l, fill(100)), l.v[0]);
    printf("%d\n", fill(7).v[5]);
    struct nest n = grow((struct nest){{{5, 6}}, {'a'}});
    printf("%d %d %c\n", n.p[1].a, n.p[1].b, n.s.a);
    printf("%g\n", as_double((union choice){7}).d);
    struct pair array[3] = {{1, 1}, {2, 2}, {3, 3}};
    array[0] = array[2] = (struct pair){9, 8};
    printf("%d %d\n", array[0].a, array[2].b);
    struct large copy = l, *q = &copy;
    *q = *q;
    q->v[19] = 0;
    printf("%d %d\n", l.v[19], copy.v[19]);
    return 0;
}
