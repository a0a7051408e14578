#include <stdio.h>

struct inner { int a, b; };
struct outer { struct inner in[2]; int tail[3]; char text[4]; };
struct chain { int head; struct { int x; struct { int y; int z; } deep; } mid; int end; };

static struct outer full = {{{1, 2}, {3, 4}}, {5, 6, 7}, "abc"};
static struct outer elided = {1, 2, 3, 4, 5, 6, 7, 'x', 'y'};
static struct outer part = {{1, 2, 3}, 5, {6}};
static struct outer list[] = {1, 2, 3, 4, 5, 6, 7, "aa", 9, 8, 7, 6, 5, 4, 3, {"bb"}};
static int scalar = {3};
static char *one = {"string"};

static void show(const struct outer *o)
{
    for (int i = 0; i < 2; i++)
        printf("%d %d ", o->in[i].a, o->in[i].b);
    for (int i = 0; i < 3; i++)
        printf("%d ", o->tail[i]);
    printf("[%.4s]\n", o->text);
}

int main(void)
{
    show(&full);
    show(&elided);
    show(&part);
    printf("%d\n", (int)(sizeof list / sizeof list[0]));
    show(&list[0]);
    show(&list[1]);
    printf("%d %s\n", scalar, one);
    struct chain c = {1, 2, 3, 4, 5}, d = {1, {2, 3}, 5};
    printf("%d %d %d %d %d\n", c.head, c.mid.x, c.mid.deep.y, c.mid.deep.z, c.end);
    printf("%d %d %d %d %d\n", d.head, d.mid.x, d.mid.deep.y, d.mid.deep.z, d.end);
    struct inner i = {10, 20};
    struct outer e = {i, {30, 40}, 1, 2};
    show(&e);
    struct outer zero = {0};
    show(&zero);
    int empty[4] = {};
    printf("%d\n", empty[3]);
    int trailing[] = {1, 2, 3,};
    printf("%d\n", (int)(sizeof trailing / sizeof(int)));
    return 0;
}
