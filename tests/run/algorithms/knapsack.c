#include <stdio.h>
#include <string.h>

struct item { const char *name; int weight, value; };
static const struct item items[] = {{"map", 9, 150}, {"compass", 13, 35}, {"water", 153, 200}, {"sandwich", 50, 160},
                                    {"glucose", 15, 60}, {"tin", 68, 45}, {"banana", 27, 60}, {"apple", 39, 40}};
enum { COUNT = sizeof items / sizeof *items, LIMIT = 150 };

static int best[COUNT + 1][LIMIT + 1];
static int memo[60];

static int coins(int amount, const int *kinds, int n)
{
    int ways[amount + 1];
    memset(ways, 0, sizeof ways);
    ways[0] = 1;
    for (int k = 0; k < n; k++)
        for (int a = kinds[k]; a <= amount; a++)
            ways[a] += ways[a - kinds[k]];
    return ways[amount];
}
static int catalan(int n)
{
    if (n <= 1)
        return 1;
    if (memo[n])
        return memo[n];
    int s = 0;
    for (int i = 0; i < n; i++)
        s += catalan(i) * catalan(n - 1 - i);
    return memo[n] = s;
}

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        for (int w = 0; w <= LIMIT; w++) {
            int with = w >= items[i].weight ? best[i][w - items[i].weight] + items[i].value : 0;
            best[i + 1][w] = best[i][w] > with ? best[i][w] : with;
        }
    printf("%d\n", best[COUNT][LIMIT]);
    for (int i = COUNT, w = LIMIT; i-- > 0;)
        if (best[i + 1][w] != best[i][w]) {
            puts(items[i].name);
            w -= items[i].weight;
        }
    printf("%d %d\n", coins(100, (int[]){1, 5, 10, 25, 50}, 5), catalan(15));
    return 0;
}
