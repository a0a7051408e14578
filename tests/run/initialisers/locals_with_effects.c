#include <stdio.h>

/* Initialisers of locals run each time control passes over them. */
static int calls;
static int tick(void) { return ++calls; }

struct pair { int a, b; };

static struct pair next_pair(void)
{
    int first = tick();
    struct pair p = {first, tick()};
    return p;
}

static int nested(int n)
{
    int values[3] = {n};
    struct { struct pair p; int tail; } s = {next_pair(), n};
    values[1] = s.p.a;
    values[2] = s.p.b;
    return values[0] * 100 + values[1] * 10 + values[2] + s.tail * 1000;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int fresh = 0;
        int array[2] = {i};
        fresh += tick();
        array[1] += fresh;
        printf("%d %d %d\n", fresh, array[0], array[1]);
    }
    printf("%d\n", nested(7));
    int a = 1, b = a + 1, c = b * 2;
    printf("%d %d %d\n", a, b, c);
    struct pair p = next_pair(), q = p, *r = &q;
    r->a = 0;
    printf("%d %d %d\n", p.a, q.a, q.b);
    int x = (tick(), tick());
    printf("%d %d\n", x, calls);
    int size = 3, *self = &size, copy = *self + sizeof size - sizeof(int);
    printf("%d\n", copy);
    switch (calls) {
        int skipped;
    default:
        skipped = 5;
        printf("%d\n", skipped);
    }
    return 0;
}
