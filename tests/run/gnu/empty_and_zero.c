#include <stdio.h>
#include <stdlib.h>

/* Empty structs, zero-length arrays, empty statements and unusual but accepted shapes. */
struct empty {};
struct holder { int a; struct empty e; int b; };
struct tail { int n; int zero[0]; int after; };
;
static struct empty make(void) { struct empty e = {}; return e; }
static int nothing(struct empty e, int x) { return x; }
static void *bytes(void *p, int n) { return p + n; }     /* arithmetic on void */

int main(void)
{
    struct holder h = {1, {}, 2};
    printf("%d %d %d\n", (int)sizeof(struct empty), h.a, h.b);
    printf("%d\n", nothing(make(), 5));
    struct empty array[3];
    printf("%d\n", (int)sizeof array);
    struct tail t = {1, {}, 9};
    printf("%d %d\n", (int)sizeof t.zero, t.after);
    int v[4] = {1, 2, 3, 4};
    printf("%d %d\n", *(int *)bytes(v, 2 * sizeof(int)), (int)sizeof(void));
    for (;;) {
        ;;
        break;
    }
    if (h.a)
        ;
    else
        printf("no\n");
    {}
    {{{ printf("deep\n"); }}}
    while (h.a--)
        ;
    do ; while (0);
    printf("%d\n", h.a);
    return EXIT_SUCCESS;
}
