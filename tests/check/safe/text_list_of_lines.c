//~ SAFE
/* Lines of standard input, the last one first. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
    struct line *before;
    char *text;
};

int main(void)
{
    struct line *last = NULL;
    char *buffer = NULL;
    size_t size = 0;
    while (getline(&buffer, &size, stdin) > 0) {
        struct line *l = malloc(sizeof *l);
        if (!l)
            abort();
        l->text = strdup(buffer);
        l->before = last;
        last = l;
    }
    free(buffer);
    while (last) {
        struct line *before = last->before;
        if (last->text)
            fputs(last->text, stdout);
        free(last->text);
        free(last);
        last = before;
    }
    return 0;
}
