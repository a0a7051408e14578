#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unsigned numbers of any length, base 2^32, least significant word first. */
struct big { int n; uint32_t *w; };

static struct big big_from(uint32_t v)
{
    struct big b = {v != 0, malloc(sizeof(uint32_t))};
    b.w[0] = v;
    return b;
}
static void big_mul_small(struct big *b, uint32_t m)
{
    uint64_t carry = 0;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->w[i] * m;
        b->w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        b->w = realloc(b->w, (b->n + 1) * sizeof *b->w);
        b->w[b->n++] = (uint32_t)carry;
    }
}
static uint32_t big_div_small(struct big *b, uint32_t d)
{
    uint64_t rest = 0;
    for (int i = b->n; i-- > 0;) {
        rest = rest << 32 | b->w[i];
        b->w[i] = (uint32_t)(rest / d);
        rest %= d;
    }
    while (b->n && !b->w[b->n - 1])
        b->n--;
    return (uint32_t)rest;
}
static struct big big_add(struct big a, struct big b)
{
    if (a.n < b.n) {
        struct big t = a;
        a = b, b = t;
    }
    struct big r = {a.n, malloc((a.n + 1) * sizeof *r.w)};
    uint64_t carry = 0;
    for (int i = 0; i < a.n; i++) {
        carry += (uint64_t)a.w[i] + (i < b.n ? b.w[i] : 0);
        r.w[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        r.w[r.n++] = (uint32_t)carry;
    return r;
}
static void big_print(struct big b)
{
    struct big copy = {b.n, malloc((b.n + 1) * sizeof *b.w)};
    memcpy(copy.w, b.w, b.n * sizeof *b.w);
    char text[200];
    int at = sizeof text - 1;
    text[at] = 0;
    do
        text[--at] = (char)('0' + big_div_small(&copy, 10));
    while (copy.n);
    puts(text + at);
    free(copy.w);
}

int main(void)
{
    struct big f = big_from(1);
    for (int i = 2; i <= 50; i++)
        big_mul_small(&f, i);
    big_print(f);
    printf("%u\n", big_div_small(&f, 1000003));
    free(f.w);
    struct big a = big_from(0), b = big_from(1);
    for (int i = 0; i < 300; i++) {
        struct big c = big_add(a, b);
        free(a.w);
        a = b, b = c;
    }
    big_print(a);
    free(a.w), free(b.w);
    return 0;
}
