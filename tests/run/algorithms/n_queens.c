#include <stdio.h>

static int solve(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    int n = 0;
    for (unsigned free = all & ~(columns | left | right); free;) {
        unsigned bit = free & -free;
        free ^= bit;
        n += solve(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return n;
}

static int place(int *rows, int at, int n)
{
    if (at == n)
        return 1;
    for (int r = 0; r < n; r++) {
        int ok = 1;
        for (int c = 0; ok && c < at; c++)
            ok = rows[c] != r && rows[c] - r != at - c && r - rows[c] != at - c;
        if (ok) {
            rows[at] = r;
            if (place(rows, at + 1, n))
                return 1;
        }
    }
    return 0;
}

int main(void)
{
    for (int n = 1; n <= 7; n++)
        printf("%d: %d\n", n, solve((1u << n) - 1, 0, 0, 0));
    int rows[6];
    if (place(rows, 0, 6))
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++)
                putchar(rows[c] == r ? 'Q' : '.');
            putchar('\n');
        }
    return place(rows, 0, 3);
}
