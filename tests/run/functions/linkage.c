#include <stdio.h>

/* Tentative definitions, extern in blocks, inline functions, repeated declarations. */
int tentative;
int tentative;
extern int tentative;
static int internal;
static int internal;
extern int defined_later;
int tentative_array[];
static int f(void);
extern int g(int);
int g(int x);
static inline int helper(int x) { return x + f(); }
extern inline int exported_inline(int x) { return x * 3; }
static int counter = 1;

static int shadowing(void)
{
    int counter = 50;
    {
        extern int defined_later;
        int counter = defined_later;
        counter++;
        if (counter != 78)
            return -1;
    }
    return counter;
}

int main(void)
{
    extern int g(int);
    int local_prototype(int, int);
    tentative += 3;
    internal = 4;
    tentative_array[0]++;
    printf("%d %d %d %d\n", tentative, internal, defined_later, tentative_array[0]);
    printf("%d %d %d\n", helper(1), g(2), local_prototype(8, 3));
    printf("%d %d\n", shadowing(), counter);
    {
        static int counter = 9;
        counter++;
        printf("%d\n", counter);
    }
    printf("%d\n", exported_inline(5));
    return 0;
}

int defined_later = 77;
int tentative_array[1];
static int f(void) { return 10; }
int g(int x) { return x ? x + g(x - 1) : 0; }
int local_prototype(int a, int b) { return a - b; }
