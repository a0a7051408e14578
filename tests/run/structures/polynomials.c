#include <stdio.h>
#include <stdlib.h>

struct term { int coefficient, power; struct term *next; };

static struct term *add_term(struct term *p, int c, int power)
{
    struct term **at = &p;
    while (*at && (*at)->power > power)
        at = &(*at)->next;
    if (*at && (*at)->power == power) {
        struct term *t = *at;
        if ((t->coefficient += c) == 0) {
            *at = t->next;
            free(t);
        }
    } else if (c) {
        struct term *t = malloc(sizeof *t);
        *t = (struct term){c, power, *at};
        *at = t;
    }
    return p;
}
static struct term *times(const struct term *a, const struct term *b)
{
    struct term *r = NULL;
    for (; a; a = a->next)
        for (const struct term *t = b; t; t = t->next)
            r = add_term(r, a->coefficient * t->coefficient, a->power + t->power);
    return r;
}
static struct term *derive(const struct term *p)
{
    struct term *r = NULL;
    for (; p; p = p->next)
        r = add_term(r, p->coefficient * p->power, p->power - 1);
    return r;
}
static void print(const struct term *p)
{
    if (!p)
        printf("0");
    for (int first = 1; p; p = p->next, first = 0)
        printf(p->power ? "%s%dx^%d" : "%s%d", first ? "" : p->coefficient > 0 ? "+" : "", p->coefficient, p->power);
    putchar('\n');
}
static void drop(struct term *p)
{
    while (p) {
        struct term *next = p->next;
        free(p);
        p = next;
    }
}

int main(void)
{
    struct term *a = add_term(add_term(NULL, 1, 1), 1, 0), *b = add_term(add_term(NULL, -1, 0), 1, 1);
    struct term *ab = times(a, b), *square = times(ab, ab), *d = derive(square);
    print(a), print(b), print(ab), print(square), print(d);
    ab = add_term(add_term(ab, 1, 0), -1, 2);
    print(ab);
    drop(a), drop(b), drop(ab), drop(square), drop(d);
    return 0;
}
