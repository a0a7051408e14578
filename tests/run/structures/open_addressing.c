#include <stdio.h>
#include <stdlib.h>

/* Linear probing with backward-shift deletion over integers. */
struct set { int *slots; unsigned char *full; unsigned mask, used; };

static unsigned slot_of(int key) { return (unsigned)key * 2654435769u >> 16; }

static void set_init(struct set *s, unsigned size)
{
    s->slots = malloc(size * sizeof *s->slots);
    s->full = calloc(size, 1);
    s->mask = size - 1;
    s->used = 0;
}
static int set_add(struct set *s, int key)
{
    unsigned i = slot_of(key) & s->mask;
    for (; s->full[i]; i = (i + 1) & s->mask)
        if (s->slots[i] == key)
            return 0;
    if (++s->used * 4 > (s->mask + 1) * 3) {
        struct set bigger;
        set_init(&bigger, (s->mask + 1) * 2);
        for (unsigned j = 0; j <= s->mask; j++)
            if (s->full[j])
                set_add(&bigger, s->slots[j]);
        free(s->slots);
        free(s->full);
        *s = bigger;
        return set_add(s, key);
    }
    s->full[i] = 1;
    s->slots[i] = key;
    return 1;
}
static int set_has(const struct set *s, int key)
{
    for (unsigned i = slot_of(key) & s->mask; s->full[i]; i = (i + 1) & s->mask)
        if (s->slots[i] == key)
            return 1;
    return 0;
}
static int set_remove(struct set *s, int key)
{
    unsigned i = slot_of(key) & s->mask;
    while (s->full[i] && s->slots[i] != key)
        i = (i + 1) & s->mask;
    if (!s->full[i])
        return 0;
    for (unsigned j = i;;) {
        j = (j + 1) & s->mask;
        if (!s->full[j])
            break;
        unsigned home = slot_of(s->slots[j]) & s->mask;
        if (((j - home) & s->mask) >= ((j - i) & s->mask)) {
            s->slots[i] = s->slots[j];
            i = j;
        }
    }
    s->full[i] = 0;
    s->used--;
    return 1;
}

int main(void)
{
    struct set s;
    set_init(&s, 8);
    int added = 0, removed = 0, present = 0;
    for (int i = 0; i < 300; i++)
        added += set_add(&s, i * i % 257 - 100);
    for (int i = -100; i < 100; i += 3)
        removed += set_remove(&s, i);
    for (int i = -200; i < 200; i++)
        present += set_has(&s, i);
    printf("%d %d %d %u %u\n", added, removed, present, s.used, s.mask + 1);
    free(s.slots);
    free(s.full);
    return added - removed == present ? 0 : 1;
}
