#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Pointers travelling through integers and bytes, and coming back usable. */
struct cell { int value; struct cell *next; };

static void *tag(void *p, unsigned bit) { return (void *)((uintptr_t)p | bit); }
static void *untag(void *p) { return (void *)((uintptr_t)p & ~(uintptr_t)1); }

int main(void)
{
    int x = 5, y = 6;
    uintptr_t u = (uintptr_t)&x;
    *(int *)u += 10;
    printf("%d\n", x);
    void *t = tag(&y, 1);
    printf("%d %d\n", (int)((uintptr_t)t & 1), *(int *)untag(t));
    int array[4] = {1, 2, 3, 4};
    uintptr_t a = (uintptr_t)array;
    printf("%d\n", *(int *)(a + 2 * sizeof(int)));
    printf("%d\n", (int)((uintptr_t)&array[3] - a) / (int)sizeof(int));

    struct cell *c = malloc(sizeof *c);
    c->value = 9;
    c->next = NULL;
    unsigned char bytes[sizeof c];
    memcpy(bytes, &c, sizeof c);
    c = NULL;
    unsigned char moved[sizeof c];
    for (unsigned i = 0; i < sizeof bytes; i++)
        moved[sizeof bytes - 1 - i] = bytes[i];
    struct cell *back;
    for (unsigned i = 0; i < sizeof bytes; i++)
        ((unsigned char *)&back)[i] = moved[sizeof bytes - 1 - i];
    printf("%d\n", back->value);
    /* the exclusive-or of two pointers, taken apart again */
    uintptr_t both = (uintptr_t)&x ^ (uintptr_t)back;
    struct cell *again = (struct cell *)(both ^ (uintptr_t)&x);
    again->value++;
    printf("%d\n", back->value);
    free(again);
    printf("%d %d\n", (int *)0 == NULL, (uintptr_t)NULL == 0);
    printf("%d\n", (int)(intptr_t)(void *)(intptr_t)1234);
    return 0;
}
