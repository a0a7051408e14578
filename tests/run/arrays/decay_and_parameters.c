#include <stdio.h>

/* Array parameters are pointers; arrays inside structs are not. */
struct box { int v[3]; };
typedef int triple[3];

static int size_of_parameter(int v[100]) { return sizeof v == sizeof(int *); }
static void modify(triple v) { v[0] = 99; }
static struct box modified(struct box b) { b.v[0] = 77; return b; }
static int middle(const triple *t) { return (*t)[1]; }
static int call(int f(int), int x) { return f(x); }
static int negate(int x) { return -x; }
static int last(int n, int v[n]) { v += n - 1; return *v; }
static int second_row(int m[][2]) { return m[1][0]; }

int main(void)
{
    int v[3] = {1, 2, 3};
    modify(v);
    struct box b = {{1, 2, 3}}, c = modified(b);
    printf("%d %d %d %d\n", size_of_parameter(v), v[0], b.v[0], c.v[0]);
    printf("%d %d %d\n", middle(&v), call(negate, 4), last(3, v));
    printf("%d\n", second_row((int[2][2]){{1, 2}, {3, 4}}));
    int *mid = &v[2];
    printf("%d %d\n", mid[-1], *(mid - 2));
    printf("%d\n", modified(b).v[2]);
    printf("%d %d\n", (int)(sizeof(triple) / sizeof(int)), &v[0] == v);
    printf("%d\n", (void *)&v == (void *)v);
    return 0;
}
