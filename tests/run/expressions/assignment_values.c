#include <stdio.h>

struct s { int a; char c; struct { short h; } in; };

int main(void)
{
    int x, y, z;
    x = y = z = 7;
    printf("%d\n", x + y + z);
    char c;
    int wide = (c = 300);                   /* the value is that of c afterwards */
    printf("%d %d\n", wide, c);
    unsigned char u;
    printf("%d\n", (u = -1) == 255);
    double d;
    int i;
    d = i = 3.9;
    printf("%g %d\n", d, i);
    if ((x = y - 7))
        printf("not here\n");
    else
        printf("zero\n");
    while ((y = y / 2))
        printf("%d ", y);
    putchar('\n');
    struct s s, t, *p = &s;
    *p = (struct s){1, 'q', {5}};
    (t = s).a;
    printf("%d %c %d\n", t.a, t.c, t.in.h);
    p->in.h = t.a = 70000;
    printf("%d %d\n", p->in.h, t.a);
    x = 5, y = 6, z += x + y, z++;
    printf("%d %d\n", x, z);
    return 0;
}
