#include <stdio.h>

#define square(x) ({ int v_ = (x); v_ * v_; })
#define clamp(v, lo, hi) ({ \
    __typeof__(v) r_ = (v); \
    if (r_ < (lo)) r_ = (lo); \
    else if (r_ > (hi)) r_ = (hi); \
    r_; })

struct pair { int a, b; };

static int find(const int *v, int n, int key)
{
    return ({
        int at = -1;
        for (int i = 0; i < n; i++)
            if (v[i] == key) {
                at = i;
                break;
            }
        at;
    });
}

static int early(int x)
{
    int y = ({ if (x < 0) return -1; x * 2; });
    return y + 1;
}

static int looped(void)
{
    int n = 0;
    for (int i = 0; i < 10; i++)
        n += ({ if (i == 3) continue; if (i == 6) break; i; });
    return n;
}

int main(void)
{
    int v[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d\n", find(v, 6, 16), find(v, 6, 5));
    int n = 3;
    printf("%d ", square(n++));
    printf("%d\n", n);
    printf("%d %d %g\n", clamp(5, 0, 3), clamp(-5, 0, 3), clamp(1.5, 1.0, 2.0));
    printf("%d %d\n", early(4), early(-4));
    printf("%d\n", looped());
    struct pair p = ({ struct pair q = {1, 2}; q.b += q.a; q; });
    printf("%d %d\n", p.a, p.b);
    printf("%d\n", ({ struct pair q = {7, 8}; q; }).b);
    ({ printf("void one\n"); (void)0; });
    int nested = ({ int a = ({ int b = 2; b * 3; }); a + ({ a; }); });
    printf("%d\n", nested);
    char *s = ({ static char text[] = "static inside"; text; });
    printf("%s\n", s);
    if (({ int t = n; t > 2; }) && ({ n = 10; 1; }))
        printf("%d\n", n);
    return 0;
}
