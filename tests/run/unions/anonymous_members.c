#include <stddef.h>
#include <stdio.h>

struct vec {
    union {
        struct { int x, y, z; };
        int v[3];
        struct { int first; struct { int second, third; } rest; };
    };
    const char *name;
};

struct packet {
    unsigned char kind;
    union {
        struct { unsigned short port; unsigned char flags; };
        unsigned char raw[8];
    };
    struct { union { char c; struct { signed char s; }; }; int last; };
};

static int dot(struct vec a, struct vec b)
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += a.v[i] * b.v[i];
    return s;
}

int main(void)
{
    struct vec a = {.x = 1, .y = 2, .z = 3, .name = "a"};
    struct vec b = {{{4, 5, 6}}, "b"};
    struct vec c = {.v = {7, 8, 9}, .name = "c"};
    printf("%d %d %d\n", dot(a, b), dot(b, c), dot(a, c));
    printf("%s %d %d %d\n", c.name, c.first, c.rest.second, c.rest.third);
    a.v[1] = 50;
    printf("%d %d\n", a.y, a.rest.second);
    struct packet p = {.kind = 2, .raw = {1, 2, 3, 4}, .s = -1, .last = 9};
    printf("%x %x %d %d\n", p.port, p.flags, p.s, p.last);
    p.flags = 0xee;
    printf("%x %x\n", p.raw[2], p.raw[3]);
    printf("%d %d\n", (int)offsetof(struct vec, z), (int)offsetof(struct vec, rest.third));
    printf("%d\n", (int)offsetof(struct packet, last));
    return 0;
}
