#include <stdio.h>

static int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
static int is_odd(unsigned);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int moves;
static void hanoi(int n, char a, char b, char c)
{
    if (n == 0)
        return;
    hanoi(n - 1, a, c, b);
    moves++;
    if (n == 4)
        printf("%c->%c\n", a, c);
    hanoi(n - 1, b, a, c);
}
static void permute(char *s, int at, int n, int *count)
{
    if (at == n) {
        if ((*count)++ % 5 == 0)
            printf("%s\n", s);
        return;
    }
    for (int i = at; i < n; i++) {
        char t = s[at]; s[at] = s[i]; s[i] = t;
        permute(s, at + 1, n, count);
        t = s[at]; s[at] = s[i]; s[i] = t;
    }
}
static int depth(int n)
{
    int local[4] = {n, n + 1, n + 2, n + 3};
    return n == 0 ? local[3] : local[0] - local[1] + depth(n - 1) + 1;
}
static int partitions(int n, int largest)
{
    if (n == 0) return 1;
    int s = 0;
    for (int k = largest < n ? largest : n; k > 0; k--)
        s += partitions(n - k, k);
    return s;
}

int main(void)
{
    printf("%d %d\n", ackermann(2, 3), is_even(10) + 2 * is_odd(7));
    hanoi(5, 'A', 'B', 'C');
    printf("%d\n", moves);
    char s[] = "abcd";
    int count = 0;
    permute(s, 0, 4, &count);
    printf("%d %s %d %d\n", count, s, depth(500), partitions(15, 15));
    return 0;
}
