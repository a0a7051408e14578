#include <stdio.h>

/* The same identifier as a type name, a variable, a member, a label and a parameter. */
typedef int T;
typedef struct T { T T; } S;
typedef T (*F)(T);

static T negate(T x) { return -x; }
static int shadow(int T) { return T * 2; }
static int by_type(T) ;
static int by_type(T x) { return x + (T)1; }

static int inner(void)
{
    T a = 1;
    {
        int T = 10;
        a += T * a;
        T *a;
    }
    T b = 3;
    goto T;
    b = 100;
T:
    return a + b;
}

enum { X = 4 };
typedef char X2[X];

int main(void)
{
    S s = {7};
    struct T *p = &s;
    F f = negate;
    for (T T = 0; T < 2; T++)
        printf("loop %d\n", T);
    printf("%d %d\n", s.T, p->T);
    printf("%d %d %d\n", f(5), shadow(6), by_type(8));
    printf("%d\n", inner());
    printf("%d\n", (int)sizeof(X2));
    {
        typedef short T;
        T small = (T)70000;
        printf("%d %d\n", (int)(sizeof(T) == sizeof(short)), small);
        unsigned X = 2;
        printf("%u\n", (X)-1);
    }
    printf("%d\n", (T)-1);
    return 0;
}
