#include <stdio.h>

enum { N = 12 };
static int parent[N], size[N];

static int find(int x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}
static int unite(int a, int b)
{
    a = find(a), b = find(b);
    if (a == b)
        return 0;
    if (size[a] < size[b]) {
        int t = a;
        a = b, b = t;
    }
    parent[b] = a;
    size[a] += size[b];
    return 1;
}

struct edge { int from, to, cost; };

int main(void)
{
    struct edge edges[] = {{0, 1, 4}, {1, 2, 8}, {2, 3, 7}, {3, 4, 9}, {4, 5, 10}, {5, 6, 2}, {6, 7, 1}, {7, 0, 8},
                           {1, 7, 11}, {7, 8, 7}, {8, 6, 6}, {2, 8, 2}, {2, 5, 4}, {3, 5, 14}, {10, 11, 1}};
    int n = sizeof edges / sizeof *edges;
    for (int i = 0; i < N; i++)
        parent[i] = i, size[i] = 1;
    for (int i = 1; i < n; i++)                 /* insertion sort by cost, stable */
        for (int j = i; j > 0 && edges[j].cost < edges[j - 1].cost; j--) {
            struct edge t = edges[j];
            edges[j] = edges[j - 1];
            edges[j - 1] = t;
        }
    int total = 0;
    for (struct edge *e = edges; e < edges + n; e++)
        if (unite(e->from, e->to)) {
            total += e->cost;
            printf("%d-%d ", e->from, e->to);
        }
    printf("\n%d\n", total);
    int groups = 0;
    for (int i = 0; i < N; i++)
        groups += find(i) == i;
    printf("%d groups, first has %d\n", groups, size[find(0)]);
    return groups;
}
