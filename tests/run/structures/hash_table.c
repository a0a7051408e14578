#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Separate chaining, doubling when full. */
struct entry { struct entry *next; int count; char key[]; };
struct map { struct entry **buckets; unsigned size, used; };

static unsigned hash(const char *s)
{
    unsigned h = 5381;
    for (; *s; s++)
        h = h * 33 ^ (unsigned char)*s;
    return h;
}
static void grow(struct map *m)
{
    unsigned size = m->size ? m->size * 2 : 4;
    struct entry **fresh = calloc(size, sizeof *fresh);
    for (unsigned i = 0; i < m->size; i++)
        for (struct entry *e = m->buckets[i], *next; e; e = next) {
            next = e->next;
            struct entry **to = &fresh[hash(e->key) % size];
            e->next = *to;
            *to = e;
        }
    free(m->buckets);
    m->buckets = fresh;
    m->size = size;
}
static int *at(struct map *m, const char *key)
{
    if (m->used >= m->size)
        grow(m);
    struct entry **b = &m->buckets[hash(key) % m->size];
    for (struct entry *e = *b; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return &e->count;
    size_t n = strlen(key) + 1;
    struct entry *e = malloc(sizeof *e + n);
    memcpy(e->key, key, n);
    e->count = 0;
    e->next = *b;
    *b = e;
    m->used++;
    return &e->count;
}
static int compare(const void *a, const void *b)
{
    struct entry *const *x = a, *const *y = b;
    return (*y)->count - (*x)->count ?: strcmp((*x)->key, (*y)->key);
}

int main(void)
{
    char text[] = "the cat and the dog and the bird saw the other cat and ran";
    struct map m = {0};
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
        ++*at(&m, w);
    struct entry *all[32];
    unsigned n = 0;
    for (unsigned i = 0; i < m.size; i++)
        for (struct entry *e = m.buckets[i]; e; e = e->next)
            all[n++] = e;
    qsort(all, n, sizeof *all, compare);
    for (unsigned i = 0; i < n; i++)
        printf("%s %d\n", all[i]->key, all[i]->count);
    printf("%u of %u\n", m.used, m.size);
    for (unsigned i = 0; i < n; i++)
        free(all[i]);
    free(m.buckets);
    return 0;
}
