#include <stdio.h>
#include <string.h>

/* Standard input is empty in every run. */
int main(void)
{
    int c = getchar();
    printf("%d %d\n", c == EOF, feof(stdin) != 0);
    char line[20] = "untouched";
    printf("%d %s\n", fgets(line, sizeof line, stdin) == NULL, line);
    printf("%d\n", getc(stdin) == EOF);
    int lines = 0;
    while ((c = fgetc(stdin)) != EOF)
        lines += c == '\n';
    printf("%d\n", lines);
    printf("%d\n", ferror(stdin));
    return c == -1 ? 0 : 2;
}
