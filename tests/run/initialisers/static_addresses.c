#include <stdio.h>

/* Constant initialisers that need addresses, casts and arithmetic. */
static int cells[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static int *middle = &cells[4];
static int *past = cells + 8;
static int *before = &cells[6] - 2;
static const char *text = "constant" + 3;
static struct node { int v; struct node *next; } nodes[3] = {
    {1, &nodes[1]}, {2, &nodes[2]}, {3, nodes}};
static struct node *entry = &nodes[0];
static int *field = &nodes[2].v;
static void (*handler)(void);
static int add(int a, int b) { return a + b; }
static struct { const char *name; int (*run)(int, int); } ops[] = {{"add", add}, {"also", &add}};
static unsigned long flags = sizeof(cells) / sizeof(cells[0]) << 2 | 1;
static double ratio = 1.0 / 4 + 2;
static int chosen = sizeof(char) == 1 ? 100 : 200;
static int negative = -(3 + 4) % 4;
static int logic = !0 && (5 > 3) || 0;
static unsigned char narrowed = 0x1ff;
static int from_float = (int)3.99;
static void **self = (void **)&self;
static char *word_end = (char *)&cells[1] - 1;

int main(void)
{
    printf("%d %d %d\n", *middle, past[-1], *before);
    printf("%s\n", text);
    struct node *n = entry;
    for (int i = 0; i < 7; i++, n = n->next)
        printf("%d ", n->v);
    putchar('\n');
    printf("%d %d\n", *field, handler == 0);
    printf("%s %d %s %d\n", ops[0].name, ops[0].run(1, 2), ops[1].name, ops[1].run(3, 4));
    printf("%lu %g %d %d %d %d %d\n", flags, ratio, chosen, negative, logic, narrowed, from_float);
    printf("%d %d\n", *self == (void *)&self, word_end + 1 == (char *)(cells + 1));
    return 0;
}
