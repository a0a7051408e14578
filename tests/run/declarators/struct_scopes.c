#include <stdio.h>

/* Tags live in scopes of their own; inner declarations hide outer ones. */
struct tag { int a; };
union kind;
struct holder { struct later *link; union kind *k; };
struct later { int value; };
union kind { int i; char c[4]; };

static int outer_size(void)
{
    struct tag;                     /* a new, incomplete type */
    struct tag *p = 0;
    struct tag { char c[3]; };
    return (int)sizeof *p;
}

static struct { int x, y; } anonymous = {3, 4}, *to_anonymous = &anonymous;

struct outer {
    struct inner { int depth; } in;
    enum colour { RED, GREEN = 5, BLUE } colour;
};

int main(void)
{
    struct later l = {9};
    union kind k = {.i = 0};
    struct holder h = {&l, &k};
    struct inner i = {2};           /* the tag of a nested struct is visible here */
    enum colour c = BLUE;
    struct outer o = {i, GREEN};
    k.c[0] = 'k';
    printf("%d %d\n", outer_size(), (int)sizeof(struct tag));
    printf("%d %c\n", h.link->value, h.k->c[0]);
    printf("%d %d\n", to_anonymous->x, anonymous.y);
    printf("%d %d %d\n", o.in.depth, o.colour, c);
    if (sizeof(struct block { int q[7]; }) > 4) {
        struct block b = {{1, 2}};
        printf("%d %d\n", b.q[1], b.q[6]);
    }
    return 0;
}
