#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A chain of blocks handing out aligned pieces, freed all at once. */
struct block { struct block *previous; size_t size, used; _Alignas(16) unsigned char data[]; };
struct arena { struct block *top; int blocks; };

static void *take(struct arena *a, size_t size, size_t align)
{
    struct block *b = a->top;
    size_t at = b ? (b->used + align - 1) & ~(align - 1) : 0;
    if (!b || at + size > b->size) {
        size_t capacity = size > 128 ? size : 128;
        b = malloc(sizeof *b + capacity);
        b->previous = a->top;
        b->size = capacity;
        a->top = b;
        a->blocks++;
        at = 0;
    }
    b->used = at + size;
    return b->data + at;
}
#define NEW(arena, type) ((type *)take(arena, sizeof(type), _Alignof(type)))

static char *text(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(take(a, n, 1), s, n);
}
static void drop(struct arena *a)
{
    while (a->top) {
        struct block *b = a->top;
        a->top = b->previous;
        free(b);
    }
}

struct word { struct word *next; const char *s; double weight; };

int main(void)
{
    struct arena a = {0};
    struct word *head = NULL, **tail = &head;
    const char *source[] = {"alpha", "be", "gamma ray", "d", "epsilon", "zeta function"};
    int misaligned = 0;
    for (int i = 0; i < 6; i++) {
        const char *s = text(&a, source[i]);
        struct word *w = NEW(&a, struct word);
        misaligned += (uintptr_t)w % _Alignof(struct word) != 0;
        *w = (struct word){NULL, s, i / 4.0};
        *tail = w;
        tail = &w->next;
    }
    char *large = take(&a, 1000, 8);
    memset(large, 'L', 1000);
    for (struct word *w = head; w; w = w->next)
        printf("%s %g\n", w->s, w->weight);
    printf("%d %c %d\n", misaligned, large[999], a.blocks > 1);
    drop(&a);
    return 0;
}
