#include <stdio.h>
#include <string.h>

enum { CAPACITY = 8 };
struct ring { unsigned char cells[CAPACITY]; unsigned head, tail; };

static unsigned used(const struct ring *r) { return r->head - r->tail; }
static unsigned put(struct ring *r, const void *data, unsigned n)
{
    unsigned room = CAPACITY - used(r);
    if (n > room)
        n = room;
    unsigned at = r->head % CAPACITY, first = CAPACITY - at;
    if (first > n)
        first = n;
    memcpy(r->cells + at, data, first);
    memcpy(r->cells, (const char *)data + first, n - first);
    r->head += n;
    return n;
}
static unsigned get(struct ring *r, void *data, unsigned n)
{
    unsigned i = 0;
    for (; i < n && used(r); i++)
        ((unsigned char *)data)[i] = r->cells[r->tail++ % CAPACITY];
    return i;
}

int main(void)
{
    /* the counters start just below wrap-around */
    struct ring r = {.head = -3u, .tail = -3u};
    const char *text = "ring buffers keep the most recent bytes in order";
    unsigned sent = 0, length = (unsigned)strlen(text);
    char out[64];
    unsigned received = 0;
    for (int round = 0; received < length; round++) {
        sent += put(&r, text + sent, length - sent < 5 ? length - sent : 5);
        received += get(&r, out + received, round % 3 + 2);
        if (round < 6)
            printf("%u %u %u\n", sent, received, used(&r));
    }
    out[received] = 0;
    printf("%s\n%d\n", out, strcmp(out, text));
    return 0;
}
