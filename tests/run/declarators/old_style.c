#include <stdio.h>

/* Definitions in the style of the first edition: parameters declared after the list. */
int add(a, b)
int a, b;
{
    return a + b;
}

double scale(value, factor, steps)
double value;
float factor;
short steps;
{
    while (steps-- > 0)
        value *= factor;
    return value;
}

char *pick(words, index)
char *words[];
register int index;
{
    return words[index];
}

static int call(function, x)
int (*function)();
int x;
{
    return function(x, x + 1);
}

struct point { int x, y; };

int norm(p, q)
struct point p, *q;
{
    return p.x * q->x + p.y * q->y;
}

int no_parameters()
{
    return 42;
}

int main()
{
    char *words[3] = {"zero", "one", "two"};
    struct point a = {1, 2}, b = {3, 4};
    printf("%d\n", add(2, 3));
    printf("%g\n", scale(1.5, 2.0f, 4));
    printf("%s\n", pick(words, 2));
    printf("%d\n", call(add, 10));
    printf("%d\n", norm(a, &b));
    printf("%d\n", no_parameters());
    return 0;
}
