#include <stdio.h>

struct s { char c; int i; };
typedef int T;
static int calls;
static int f(void) { calls++; return 1; }

int main(void)
{
    int a[10], (*p)[10] = &a, n = 3;
    char text[] = "hello";
    printf("%d\n", (int)(sizeof a / sizeof a[0]));
    printf("%d\n", (int)(sizeof *p == sizeof a));
    printf("%d %d\n", (int)sizeof text, (int)sizeof "hello world");
    printf("%d\n", (int)sizeof(struct s));
    printf("%d\n", (int)sizeof((struct s *)0)->c);
    printf("%d\n", (int)sizeof(f()));
    printf("%d\n", (int)sizeof(a[n++]));
    printf("%d %d\n", n, calls);
    printf("%d\n", (int)sizeof(T) * 2);
    printf("%d\n", (int)(sizeof(T) + 1));
    printf("%d\n", (int)sizeof(char) - 5 < 0);
    printf("%d\n", sizeof(int) - 5 < 0);
    printf("%d\n", (int)sizeof(char[n][2]));
    int v[n];
    printf("%d\n", (int)(sizeof v / sizeof(int)));
    printf("%d\n", (int)(sizeof(v) == sizeof v));
    printf("%d %d\n", (int)sizeof(short), (int)sizeof(1.0f));
    printf("%d\n", (int)sizeof(1 ? 'a' : (char)1));
    printf("%d\n", (int)(sizeof(int) == sizeof(unsigned)));
    printf("%d\n", (int)sizeof (char){1});
    printf("%d\n", (int)sizeof(union { char c[7]; short s; }));
    printf("%d\n", (int)(sizeof &a == sizeof(void *)));
    printf("%d\n", (int)sizeof(_Bool));
    return 0;
}
