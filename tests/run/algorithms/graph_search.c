#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge { int to; struct edge *next; };
struct graph { int n; struct edge **adjacent; };

static void connect(struct graph *g, int a, int b)
{
    for (int k = 0; k < 2; k++) {
        struct edge *e = malloc(sizeof *e);
        e->to = b;
        e->next = g->adjacent[a];
        g->adjacent[a] = e;
        int t = a; a = b; b = t;
    }
}
static void breadth_first(const struct graph *g, int start, int *distance)
{
    int *queue = malloc(g->n * sizeof *queue), head = 0, tail = 0;
    for (int i = 0; i < g->n; i++)
        distance[i] = -1;
    distance[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int v = queue[head++];
        for (struct edge *e = g->adjacent[v]; e; e = e->next)
            if (distance[e->to] < 0) {
                distance[e->to] = distance[v] + 1;
                queue[tail++] = e->to;
            }
    }
    free(queue);
}
static int depth_first(const struct graph *g, int v, char *seen)
{
    if (seen[v])
        return 0;
    seen[v] = 1;
    int n = 1;
    printf("%d ", v);
    for (struct edge *e = g->adjacent[v]; e; e = e->next)
        n += depth_first(g, e->to, seen);
    return n;
}

int main(void)
{
    struct graph g = {10, calloc(10, sizeof(struct edge *))};
    static const int links[][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {2, 6}, {7, 8}};
    for (unsigned i = 0; i < sizeof links / sizeof *links; i++)
        connect(&g, links[i][0], links[i][1]);
    int distance[10];
    breadth_first(&g, 0, distance);
    for (int i = 0; i < g.n; i++)
        printf("%d ", distance[i]);
    putchar('\n');
    char seen[10] = {0};
    int components = 0;
    for (int i = 0; i < g.n; i++)
        if (!seen[i]) {
            printf("[%d]\n", depth_first(&g, i, seen));
            components++;
        }
    for (int i = 0; i < g.n; i++)
        for (struct edge *e = g.adjacent[i], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    free(g.adjacent);
    return components;
}
