#include <stdio.h>

static char board[82] =
    "53467891267219534819834256785976142342685379171392485696153728428741963534528617.";
static int tries;

static int allowed(int at, char digit)
{
    int row = at / 9, column = at % 9, box = row / 3 * 27 + column / 3 * 3;
    for (int i = 0; i < 9; i++)
        if (board[row * 9 + i] == digit || board[i * 9 + column] == digit || board[box + i / 3 * 9 + i % 3] == digit)
            return 0;
    return 1;
}
static int solve(int at)
{
    while (at < 81 && board[at] != '.')
        at++;
    if (at == 81)
        return 1;
    for (char d = '1'; d <= '9'; d++) {
        tries++;
        if (allowed(at, d)) {
            board[at] = d;
            if (solve(at + 1))
                return 1;
            board[at] = '.';
        }
    }
    return 0;
}

int main(void)
{
    /* clear a few boxes and fill them again */
    for (int i = 0; i < 81; i++)
        if (i * 7 % 10 < 4)
            board[i] = '.';
    int solved = solve(0);
    for (int i = 0; i < 81; i += 9)
        printf("%.9s\n", board + i);
    printf("%d %d\n", solved, tries);
    return !solved;
}
