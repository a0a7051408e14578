#include <stdio.h>
#include <string.h>

int main(void)
{
    printf("[%s] [%10s] [%-10s] [%.3s] [%10.2s] [%-6.4s]\n", "text", "right", "left", "truncate", "xyz", "abcdefgh");
    char raw[4] = {'n', 'o', 'n', 'e'};
    printf("[%.4s] [%.*s]\n", raw, 2, raw);
    char out[16];
    int n = snprintf(out, sizeof out, "%s-%d", "a rather long text", 5);
    printf("%d [%s] %d\n", n, out, (int)strlen(out));
    n = snprintf(NULL, 0, "%d %s", 12345, "abc");
    printf("%d\n", n);
    n = sprintf(out, "%c%c%c", 'x', 'y', 'z');
    printf("%d %s\n", n, out);
    n += sprintf(out + n, "|%03d", 7);
    printf("%d %s\n", n, out);
    snprintf(out, 1, "gone");
    printf("[%s]\n", out);
    fputs("fputs does not end the line\n", stdout);
    puts("puts does");
    putchar('p'), putc('c', stdout), fputc('\n', stdout);
    fprintf(stdout, "%s%s\n", "one", "two");
    fprintf(stderr, "not compared %d\n", 1);
    fwrite("raw bytes\n", 1, 10, stdout);
    char line[8] = "";
    strcat(strcpy(line, "ab"), "cd");
    printf("%s %%s literal\n", line);
    fflush(stdout);
    perror;
    return 0;
}
