#include <stdio.h>

/* const, volatile and restrict in every position; static in array parameters. */
static volatile int counter;
const int *const volatile frozen = 0;
int const unsigned long odd_order = 17;
long static signed int hidden_order = -3;
unsigned long long int extern outer;
unsigned long long outer = 1ull << 40;

static int total(int n, const int values[static restrict 2])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += values[i];
    return s;
}

static void copy(char *restrict to, const char *restrict from)
{
    while ((*to++ = *from++))
        ;
}

static const char *skip(const char *s, const char c)
{
    while (*s == c)
        s++;
    return s;
}

int main(void)
{
    const int a[] = {1, 2, 3};
    int const *p = a;
    int b = 5, *const q = &b;
    char buffer[16];
    *q += 2;
    p++;
    counter++;
    counter += counter;
    copy(buffer, "   text");
    printf("%d %d %d %d\n", total(3, a), *p, b, counter);
    printf("[%s] %d\n", skip(buffer, ' '), frozen == 0);
    printf("%lu %ld %llu\n", odd_order, hidden_order, outer);
    return 0;
}
