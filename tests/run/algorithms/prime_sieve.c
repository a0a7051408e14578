#include <stdio.h>
#include <string.h>

#define LIMIT 500
static unsigned char composite[LIMIT / 8 + 1];
#define TEST(n) (composite[(n) >> 3] >> ((n) & 7) & 1)
#define SET(n) (composite[(n) >> 3] |= 1u << ((n) & 7))

static int factor(unsigned n, unsigned *out)
{
    int count = 0;
    for (unsigned p = 2; p * p <= n; p++)
        while (n % p == 0) {
            out[count++] = p;
            n /= p;
        }
    if (n > 1)
        out[count++] = n;
    return count;
}
static unsigned power(unsigned b, unsigned e, unsigned m)
{
    unsigned long long r = 1, x = b % m;
    for (; e; e >>= 1, x = x * x % m)
        if (e & 1)
            r = r * x % m;
    return (unsigned)r;
}

int main(void)
{
    int primes = 0;
    for (unsigned i = 2; i <= LIMIT; i++) {
        if (TEST(i))
            continue;
        primes++;
        for (unsigned j = i * i; j <= LIMIT; j += i)
            SET(j);
    }
    printf("%d primes\n", primes);
    unsigned f[32];
    const unsigned numbers[] = {360, 97, 4294967295u, 1001};
    for (int i = 0; i < 4; i++) {
        int n = factor(numbers[i], f);
        printf("%u =", numbers[i]);
        for (int k = 0; k < n; k++)
            printf(" %u", f[k]);
        putchar('\n');
    }
    printf("%u %u\n", power(3, 200, 13), power(2, 30, 1000000007));
    return 0;
}
