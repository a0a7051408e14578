// A list of lists: a hash table with chained buckets that grows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    unsigned hash;
    int count;
    char word[];
};

struct table {
    struct entry **buckets;
    size_t size, used;
};

static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static void grow(struct table *t)
{
    size_t size = t->size ? 2 * t->size : 4;
    struct entry **buckets = calloc(size, sizeof *buckets);
    if (!buckets)
        abort();
    for (size_t i = 0; i < t->size; i++) {
        struct entry *e = t->buckets[i];
        while (e) {
            struct entry *next = e->next;
            e->next = buckets[e->hash % size];
            buckets[e->hash % size] = e;
            e = next;
        }
    }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static void count(struct table *t, const char *word)
{
    if (t->used >= t->size)
        grow(t);
    unsigned h = hash(word);
    struct entry **bucket = &t->buckets[h % t->size];
    for (struct entry *e = *bucket; e; e = e->next) {
        if (e->hash == h && strcmp(e->word, word) == 0) {
            e->count++;
            return;
        }
    }
    struct entry *e = malloc(sizeof *e + strlen(word) + 1);
    if (!e)
        abort();
    e->hash = h;
    e->count = 1;
    strcpy(e->word, word);
    e->next = *bucket;
    *bucket = e;
    t->used++;
}

int main(int argc, char **argv)
{
    static const char *words[] = { "to", "be", "or", "not", "to", "be", "that", "is", "the", "question" };
    struct table t = { 0 };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        count(&t, words[i]);
    for (int i = 1; i < argc; i++)
        count(&t, argv[i]);
    int most = 0;
    for (size_t i = 0; i < t.size; i++) {
        for (struct entry *e = t.buckets[i], *next; e; e = next) {
            next = e->next;
            if (e->count > most)
                most = e->count;
            free(e);
        }
    }
    free(t.buckets);
    printf("%zu words, at most %d times\n", t.used, most);
    return 0;
}
