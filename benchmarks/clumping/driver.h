/* Random numbers for the drivers, seeded by the first argument, and a multiset of small numbers to compare with. */
#ifndef DRIVER_H
#define DRIVER_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 400
#define VALUES 40

static unsigned long long random_state = 88172645463325252ULL;

static inline unsigned random_below(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % n;
}

static inline void random_seed(int argc, char **argv)
{
    if (argc > 1)
        random_state ^= strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ULL;
    for (int i = 0; i < 8; i++)
        random_below(2);
}

/* Mostly few elements, so that all special cases occur. */
static inline unsigned random_size(void)
{
    return random_below(4) ? random_below(6) : random_below(30);
}

/* Mostly few values, so that some are equal. */
static inline int random_value(void)
{
    return (int)random_below(random_below(2) ? 8 : VALUES);
}

/* How often each value is in the structure. */
struct model {
    int count[VALUES], size;
};

static inline void model_add(struct model *m, int value)
{
    m->count[value]++;
    m->size++;
}

static inline void model_remove(struct model *m, int value)
{
    assert(m->count[value] > 0);
    m->count[value]--;
    m->size--;
}

static inline int model_min(const struct model *m)
{
    for (int v = 0; v < VALUES; v++)
        if (m->count[v])
            return v;
    return -1;
}

static inline int model_max(const struct model *m)
{
    for (int v = VALUES - 1; v >= 0; v--)
        if (m->count[v])
            return v;
    return -1;
}

/* Counts the value of a node that was met; a structure that shares nodes or has a cycle runs out of values. */
static inline void model_meet(struct model *rest, int value)
{
    assert(value >= 0 && value < VALUES);
    model_remove(rest, value);
}

#endif
