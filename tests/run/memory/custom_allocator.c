#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* First fit over a static buffer, with splitting and coalescing. */
struct chunk { size_t size; struct chunk *next; int used; };
static _Alignas(max_align_t) unsigned char memory[1024];
static struct chunk *first;

static size_t round_up(size_t n) { return (n + 15) & ~(size_t)15; }
static void start(void)
{
    first = (struct chunk *)memory;
    *first = (struct chunk){sizeof memory - round_up(sizeof *first), NULL, 0};
}
static void *get(size_t n)
{
    n = round_up(n);
    size_t header = round_up(sizeof(struct chunk));
    for (struct chunk *c = first; c; c = c->next) {
        if (c->used || c->size < n)
            continue;
        if (c->size >= n + header + 16) {
            struct chunk *rest = (struct chunk *)((unsigned char *)c + header + n);
            *rest = (struct chunk){c->size - n - header, c->next, 0};
            c->next = rest;
            c->size = n;
        }
        c->used = 1;
        return (unsigned char *)c + header;
    }
    return NULL;
}
static void give(void *p)
{
    size_t header = round_up(sizeof(struct chunk));
    ((struct chunk *)((unsigned char *)p - header))->used = 0;
    for (struct chunk *c = first; c; c = c->next)
        while (!c->used && c->next && !c->next->used) {
            c->size += header + c->next->size;
            c->next = c->next->next;
        }
}
static int chunks(void)
{
    int n = 0;
    for (struct chunk *c = first; c; c = c->next)
        n++;
    return n;
}

int main(void)
{
    start();
    char *a = get(40), *b = get(100), *c = get(200);
    strcpy(a, "first block");
    memset(b, 'b', 100);
    int *numbers = (int *)c;
    for (int i = 0; i < 50; i++)
        numbers[i] = i;
    printf("%d\n", chunks());
    give(b);
    printf("%d\n", chunks());
    char *d = get(20);
    printf("%d %s %d\n", d == b, a, numbers[49]);
    printf("%d\n", get(5000) == NULL);
    give(a);
    give(c);
    give(d);
    printf("%d\n", chunks());
    return 0;
}
