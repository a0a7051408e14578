#include <stdio.h>
#include <string.h>

static int min3(int a, int b, int c) { return a < b ? a < c ? a : c : b < c ? b : c; }

static int distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    int d[n + 1][m + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++)
            d[i][j] = !i ? (int)j : !j ? (int)i
                : min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    return d[n][m];
}
static void common(const char *a, const char *b, char *out)
{
    int n = (int)strlen(a), m = (int)strlen(b), l[n + 1][m + 1];
    memset(l, 0, sizeof l);
    for (int i = n; i-- > 0;)
        for (int j = m; j-- > 0;)
            l[i][j] = a[i] == b[j] ? l[i + 1][j + 1] + 1 : l[i + 1][j] > l[i][j + 1] ? l[i + 1][j] : l[i][j + 1];
    for (int i = 0, j = 0; i < n && j < m;)
        if (a[i] == b[j])
            *out++ = a[i], i++, j++;
        else if (l[i + 1][j] >= l[i][j + 1])
            i++;
        else
            j++;
    *out = 0;
}

int main(void)
{
    const char *pairs[][2] = {{"kitten", "sitting"}, {"", "abc"}, {"same", "same"}, {"flaw", "lawn"}, {"intention", "execution"}};
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char out[16];
        common(pairs[i][0], pairs[i][1], out);
        printf("%s %s %d [%s]\n", pairs[i][0], pairs[i][1], distance(pairs[i][0], pairs[i][1]), out);
    }
    return 0;
}
