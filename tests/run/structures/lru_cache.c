#include <stdio.h>
#include <stdlib.h>

struct page { int key, value; struct page *newer, *older, *chain; };
struct cache { struct page *newest, *oldest, *table[7]; int count, limit, hits, misses; };

static void unlink_page(struct cache *c, struct page *p)
{
    *(p->newer ? &p->newer->older : &c->newest) = p->older;
    *(p->older ? &p->older->newer : &c->oldest) = p->newer;
}
static void to_front(struct cache *c, struct page *p)
{
    p->newer = NULL;
    p->older = c->newest;
    if (c->newest)
        c->newest->newer = p;
    else
        c->oldest = p;
    c->newest = p;
}
static void evict(struct cache *c)
{
    struct page *p = c->oldest, **at = &c->table[p->key % 7];
    while (*at != p)
        at = &(*at)->chain;
    *at = p->chain;
    unlink_page(c, p);
    printf("evict %d\n", p->key);
    free(p);
    c->count--;
}
static int lookup(struct cache *c, int key)
{
    for (struct page *p = c->table[key % 7]; p; p = p->chain)
        if (p->key == key) {
            c->hits++;
            unlink_page(c, p);
            to_front(c, p);
            return p->value;
        }
    c->misses++;
    if (c->count == c->limit)
        evict(c);
    struct page *p = malloc(sizeof *p);
    p->key = key;
    p->value = key * key;
    p->chain = c->table[key % 7];
    c->table[key % 7] = p;
    to_front(c, p);
    c->count++;
    return p->value;
}

int main(void)
{
    struct cache c = {.limit = 4};
    const int trace[] = {1, 2, 3, 8, 1, 9, 2, 15, 1, 8, 3, 3, 22, 1};
    int sum = 0;
    for (unsigned i = 0; i < sizeof trace / sizeof *trace; i++)
        sum += lookup(&c, trace[i]);
    printf("%d hits %d misses %d\n", sum, c.hits, c.misses);
    while (c.oldest)
        evict(&c);
    return c.count;
}
