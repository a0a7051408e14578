/* The copies of the arguments have no room for their ends. */
// needs certain inputs
// not seen by sanitizers: needs an argument
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
        struct word *w = malloc(sizeof *w);
        if (!w)
            abort();
        w->text = malloc(strlen(argv[i]));
        if (!w->text)
            abort();
        memcpy(w->text, argv[i], strlen(argv[i]));
        w->next = words;
        words = w;
    }
    for (struct word *w = words; w; w = w->next)
        puts(w->text); //~ ERROR out-of-bounds
    while (words) {
        struct word *next = words->next;
        free(words->text);
        free(words);
        words = next;
    }
    return 0;
}
