#include <stdio.h>

int main(void)
{
    int a = 0, b = 0, n;
    unsigned u = 0;
    char word[16], c;
    n = sscanf("12 -34", "%d %d", &a, &b);
    printf("%d %d %d\n", n, a, b);
    n = sscanf("key=77", "%3s=%d", word, &a);
    printf("%d %s %d\n", n, word, a);
    n = sscanf("ff 017", "%x %o", &u, (unsigned *)&b);
    printf("%d %u %d\n", n, u, b);
    n = sscanf("q9", "%c%d", &c, &a);
    printf("%d %c %d\n", n, c, a);
    n = sscanf("abc", "%d", &a);
    printf("%d %d\n", n, a);
    n = sscanf("", "%d", &a);
    printf("%d\n", n == EOF);
    long l;
    double d;
    n = sscanf("5 2.5", "%ld %lf", &l, &d);
    printf("%d %ld %g\n", n, l, d);
    return 0;
}
