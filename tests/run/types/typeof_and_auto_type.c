#include <stdio.h>

#define max(a, b) ({ __typeof__(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define swap(a, b) do { __auto_type t_ = (a); (a) = (b); (b) = t_; } while (0)
#define array_size(a) (sizeof(a) / sizeof((a)[0]) + 0 * sizeof(struct { int ok : __builtin_types_compatible_p(typeof(a), typeof(&(a)[0])) ? -1 : 1; }))

struct pt { int x; double y; };
static struct pt origin = {1, 2.5};
typeof(origin) other = {3, 4.5};
typeof(int *[2]) pointers;
static typeof(&origin.y) inner = &origin.y;

int main(void)
{
    int calls = 0;
    printf("%d\n", max(3, 4));
    printf("%g\n", max(2.5, 1));
    printf("%d ", max(calls++, -1));
    printf("%d\n", calls);
    int a = 1, b = 2;
    swap(a, b);
    swap(origin, other);
    printf("%d %d %d %g\n", a, b, origin.x, *inner);
    __auto_type p = &origin;
    p->x += 10;
    __auto_type c = (char)65;
    printf("%d %d\n", origin.x, (int)sizeof c);
    pointers[1] = &a;
    printf("%d %d\n", *pointers[1], (int)array_size(pointers));
    typeof(a++) unevaluated = 5;
    printf("%d %d\n", a, unevaluated);
    int n = 4;
    typeof(int[n]) vla;
    vla[3] = 9;
    printf("%d %d\n", vla[3], (int)(sizeof vla / sizeof *vla));
    const int k = 5;
    typeof(k + 0) m = k;
    m++;
    printf("%d\n", m);
    typeof(printf) *say = printf;
    say("%s\n", "through a pointer");
    return 0;
}
