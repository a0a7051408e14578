#include <stdio.h>
#include <stdlib.h>

/* A binary heap of any element type, with comparison by callback. */
struct heap { char *items; size_t width, count, room; int (*before)(const void *, const void *); };

static void exchange(char *a, char *b, size_t n)
{
    for (; n > 0; n--, a++, b++) {
        char t = *a;
        *a = *b;
        *b = t;
    }
}
static char *slot(struct heap *h, size_t i) { return h->items + i * h->width; }
static void heap_push(struct heap *h, const void *item)
{
    if (h->count == h->room) {
        h->room = h->room ? h->room * 2 : 2;
        h->items = realloc(h->items, h->room * h->width);
    }
    size_t i = h->count++;
    for (size_t k = 0; k < h->width; k++)
        slot(h, i)[k] = ((const char *)item)[k];
    for (; i > 0 && h->before(slot(h, i), slot(h, (i - 1) / 2)); i = (i - 1) / 2)
        exchange(slot(h, i), slot(h, (i - 1) / 2), h->width);
}
static int heap_pop(struct heap *h, void *out)
{
    if (h->count == 0)
        return 0;
    for (size_t k = 0; k < h->width; k++)
        ((char *)out)[k] = h->items[k];
    if (--h->count > 0)
        exchange(slot(h, 0), slot(h, h->count), h->width);
    for (size_t i = 0, c; (c = 2 * i + 1) < h->count; i = c) {
        if (c + 1 < h->count && h->before(slot(h, c + 1), slot(h, c)))
            c++;
        if (!h->before(slot(h, c), slot(h, i)))
            break;
        exchange(slot(h, i), slot(h, c), h->width);
    }
    return 1;
}
struct job { short priority; char name[6]; };
static int smaller(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
static int urgent(const void *a, const void *b) { return ((struct job *)a)->priority > ((struct job *)b)->priority; }

int main(void)
{
    struct heap h = {.width = sizeof(int), .before = smaller};
    for (int i = 0; i < 20; i++) {
        int v = i * 13 % 31;
        heap_push(&h, &v);
    }
    for (int v; heap_pop(&h, &v);)
        printf("%d ", v);
    putchar('\n');
    free(h.items);
    struct heap jobs = {.width = sizeof(struct job), .before = urgent};
    struct job list[] = {{3, "mid"}, {9, "top"}, {1, "low"}, {7, "high"}};
    for (int i = 0; i < 4; i++)
        heap_push(&jobs, list + i);
    struct job j;
    while (heap_pop(&jobs, &j))
        printf("%d:%s ", j.priority, j.name);
    putchar('\n');
    free(jobs.items);
    return 0;
}
