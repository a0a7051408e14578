//~ SAFE
/* Words of the command line, each once, in blocks of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    char *text;
};

int main(int argc, char **argv)
{
    struct word *words = NULL;
    for (int i = 1; i < argc; i++) {
        int seen = 0;
        for (struct word *w = words; w; w = w->next)
            if (strcmp(w->text, argv[i]) == 0)
                seen = 1;
        if (seen)
            continue;
        struct word *w = malloc(sizeof *w);
        if (!w)
            abort();
        w->text = strdup(argv[i]);
        if (!w->text)
            abort();
        w->next = words;
        words = w;
    }
    for (struct word *w = words; w; w = w->next)
        printf("%s %zu\n", w->text, strlen(w->text));
    while (words) {
        struct word *next = words->next;
        free(words->text);
        free(words);
        words = next;
    }
    return 0;
}
