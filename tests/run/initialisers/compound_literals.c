#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; };

static int length2(struct line l)
{
    int dx = l.to.x - l.from.x, dy = l.to.y - l.from.y;
    return dx * dx + dy * dy;
}
static int sum(const int *v, int n) { return n ? *v + sum(v + 1, n - 1) : 0; }
static struct point *global = &(struct point){11, 12};
static const int *numbers = (const int[]){5, 6, 7};

int main(void)
{
    printf("%d\n", length2((struct line){{1, 2}, {4, 6}}));
    printf("%d\n", length2((struct line){.to = (struct point){3, 4}}));
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d %d\n", global->x, numbers[2]);
    int *p = (int[3]){[1] = 9};
    p[0]++;
    printf("%d %d %d\n", p[0], p[1], p[2]);
    struct point *q = &(struct point){.y = 8};
    q->x = q->y * 2;
    printf("%d %d\n", q->x, q->y);
    char *text = (char[]){"writable"};
    text[0] = 'W';
    printf("%s %d\n", text, (int)sizeof (char[]){"abc"});
    printf("%d\n", (int){42} + 1);
    printf("%d\n", ++(int){5});
    for (int i = 0; i < 3; i++) {
        struct point *fresh = &(struct point){i};   /* a new object in each round */
        fresh->y += i;
        printf("%d%d ", fresh->x, fresh->y);
    }
    putchar('\n');
    printf("%d\n", ((struct point){1, 2}).y);
    printf("%d\n", memcmp((char[4]){"ab"}, "ab\0", 4));
    return 0;
}
