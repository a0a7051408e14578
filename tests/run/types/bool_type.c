#include <stdbool.h>
#include <stdio.h>

static bool invert(bool b) { return !b; }
static _Bool is_even(int n) { return ~n & 1; }
struct flags { bool a, b; bool c : 1; };

int main(void)
{
    bool b = 42;
    printf("%d\n", b);
    b = 0.5;
    printf("%d\n", b);
    b = (void *)0;
    printf("%d\n", b);
    b = "text";
    printf("%d\n", b);
    b = 256;
    printf("%d %d\n", b, (unsigned char)256);
    b++;
    printf("%d\n", b);
    b += 10;
    printf("%d\n", b);
    b -= 1;
    printf("%d\n", b);
    b--;
    printf("%d\n", b);
    b |= 6;
    printf("%d %d\n", b, b + b);
    b = b << 3;
    printf("%d %d\n", b, ~b);
    printf("%d %d %d\n", invert(7), invert(0), is_even(3));
    struct flags f = {2, 0, 4};
    f.b = f.a + f.c;
    printf("%d %d %d %d\n", f.a, f.b, f.c, (int)sizeof(bool));
    bool array[3] = {true, false};
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += array[i];
    printf("%d %d\n", n, (bool)0.0001 + (bool)&n + (_Bool)0);
    return true;
}
