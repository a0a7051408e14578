#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The many ways of producing output, in one order. */
static void emit(FILE *to, const char *s)
{
    while (*s)
        putc(*s++, to);
}

int main(void)
{
    FILE *streams[2] = {stdout, stderr};
    for (int i = 0; i < 2; i++)
        fprintf(streams[i], "stream %d\n", i);
    emit(stdout, "by characters\n");
    size_t n = fwrite("abcdef", 2, 3, stdout);
    printf(" %zu\n", n);
    printf("%d\n", putchar('!') == '!');
    char buffer[8];
    memset(buffer, 'z', sizeof buffer);
    int needed = snprintf(buffer, sizeof buffer, "%05d|%s", 42, "overflowing");
    printf("%d %s\n", needed, buffer);
    printf("%s", "no newline at the end of the last line");
    exit(fputs("", stdout) < 0);
}
