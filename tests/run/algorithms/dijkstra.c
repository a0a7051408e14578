#include <limits.h>
#include <stdio.h>

#define N 7
static const int weight[N][N] = {
    [0] = {[1] = 7, [2] = 9, [5] = 14},
    [1] = {[0] = 7, [2] = 10, [3] = 15},
    [2] = {[0] = 9, [1] = 10, [3] = 11, [5] = 2},
    [3] = {[1] = 15, [2] = 11, [4] = 6},
    [4] = {[3] = 6, [5] = 9},
    [5] = {[0] = 14, [2] = 2, [4] = 9},
};

static void path(const int *previous, int v)
{
    if (previous[v] >= 0) {
        path(previous, previous[v]);
        printf("-");
    }
    printf("%d", v);
}

int main(void)
{
    int distance[N], previous[N], done[N] = {0};
    for (int i = 0; i < N; i++)
        distance[i] = INT_MAX, previous[i] = -1;
    distance[0] = 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < N; i++)
            if (!done[i] && distance[i] < INT_MAX && (best < 0 || distance[i] < distance[best]))
                best = i;
        if (best < 0)
            break;
        done[best] = 1;
        for (int i = 0; i < N; i++)
            if (weight[best][i] && distance[best] + weight[best][i] < distance[i]) {
                distance[i] = distance[best] + weight[best][i];
                previous[i] = best;
            }
    }
    for (int i = 0; i < N; i++) {
        if (distance[i] == INT_MAX)
            printf("%d unreachable", i);
        else {
            printf("%d %d ", i, distance[i]);
            path(previous, i);
        }
        putchar('\n');
    }
    return 0;
}
