#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A window compressor: literal runs and (distance, length) pairs in bytes. */
static size_t compress(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t at = 0, o = 0;
    while (at < n) {
        size_t best = 0, distance = 0;
        for (size_t from = at > 255 ? at - 255 : 0; from < at; from++) {
            size_t l = 0;
            while (l < 127 && at + l < n && in[from + l] == in[at + l])
                l++;
            if (l > best)
                best = l, distance = at - from;
        }
        if (best >= 3) {
            out[o++] = (unsigned char)(0x80 | best);
            out[o++] = (unsigned char)distance;
            at += best;
        } else {
            size_t head = o++;
            out[head] = 1;
            out[o++] = in[at++];
        }
    }
    return o;
}
static size_t expand(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t o = 0;
    for (size_t i = 0; i < n;)
        if (in[i] & 0x80) {
            size_t length = in[i] & 0x7f, distance = in[i + 1];
            i += 2;
            for (; length--; o++)
                out[o] = out[o - distance];
        } else {
            size_t run = in[i++];
            memcpy(out + o, in + i, run);
            o += run, i += run;
        }
    return o;
}

int main(void)
{
    const char *samples[] = {"abcabcabcabcabcabc", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "no repeats",
                             "she sells sea shells by the sea shore, the shells she sells are sea shells for sure"};
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(samples[i]);
        unsigned char *packed = malloc(2 * n), *back = malloc(n + 1);
        size_t m = compress((const unsigned char *)samples[i], n, packed);
        size_t k = expand(packed, m, back);
        back[k] = 0;
        printf("%zu -> %zu %s\n", n, m, strcmp((char *)back, samples[i]) ? "bad" : "ok");
        free(packed);
        free(back);
    }
    return 0;
}
