#include <stdio.h>
#include <string.h>

/* Text layout with computed widths and string tables. */
struct row { const char *cells[3]; };
static const struct row table[] = {
    {{"name", "year", "note"}}, {{"ADT", "1974", "abstract data types"}}, {{"GC", "1959", "collecting garbage"}}, {{"B-tree", "1970", ""}}};
enum { ROWS = sizeof table / sizeof table[0] };

int main(void)
{
    int width[3] = {0};
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < 3; c++) {
            int n = (int)strlen(table[r].cells[c]);
            width[c] = n > width[c] ? n : width[c];
        }
    char rule[64] = "+";
    for (int c = 0; c < 3; c++) {
        size_t at = strlen(rule);
        memset(rule + at, '-', width[c] + 2);
        strcpy(rule + at + width[c] + 2, "+");
    }
    for (int r = 0; r < ROWS; r++) {
        if (r < 2)
            puts(rule);
        for (int c = 0; c < 3; c++)
            printf(c == 1 ? "| %*s " : "| %-*s ", width[c], table[r].cells[c]);
        puts("|");
    }
    puts(rule);
    return (int)strlen(rule);
}
