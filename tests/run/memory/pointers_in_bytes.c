#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Structures holding pointers copied as raw memory, whole and in part. */
struct holder { int tag; int *target; char *name; };

static void swap_bytes(void *a, void *b, size_t n)
{
    unsigned char *x = a, *y = b;
    while (n--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

int main(void)
{
    int one = 1, two = 2;
    struct holder a = {10, &one, "first"}, b = {20, &two, "second"}, c;
    memcpy(&c, &a, sizeof c);
    printf("%d %d %s\n", c.tag, *c.target, c.name);
    swap_bytes(&a, &b, sizeof a);
    printf("%s %d %s %d\n", a.name, *a.target, b.name, *b.target);
    memcpy(&c.target, &a.target, sizeof c.target);
    *c.target = 22;
    printf("%d %d\n", two, *a.target);
    struct holder *heap = malloc(2 * sizeof *heap);
    memcpy(heap, (struct holder[]){a, b}, 2 * sizeof *heap);
    heap = realloc(heap, 5 * sizeof *heap);
    memcpy(heap + 2, heap, 2 * sizeof *heap);
    memset(&heap[4], 0, sizeof *heap);
    printf("%s %s %d\n", heap[2].name, heap[3].name, heap[4].target == NULL);
    int **slots = malloc(3 * sizeof *slots);
    slots[0] = &one;
    memcpy(&slots[1], slots, sizeof *slots);
    memmove(slots + 1, slots, 2 * sizeof *slots);
    *slots[2] += 5;
    printf("%d\n", one);
    free(slots);
    free(heap);
    union { int *p; unsigned char raw[sizeof(int *)]; } u = {.p = &two}, w;
    for (unsigned i = 0; i < sizeof u; i++)
        w.raw[i] = u.raw[i];
    printf("%d %d\n", *w.p, w.p == &two);
    return 0;
}
