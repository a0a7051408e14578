// A list of lists: the words of the command line as sentences, the last word of each ends with a full stop.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    char *text;
};

struct sentence {
    struct sentence *next;
    struct word *words;
};

// Puts a copy of a text in front of the words.
static struct word *add(struct word *words, const char *text)
{
    struct word *w = malloc(sizeof *w);
    if (!w)
        abort();
    w->text = strdup(text);
    if (!w->text)
        abort();
    w->next = words;
    return w;
}

// Whether a word is the last one of its sentence.
static int is_last(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && text[length - 1] == '.';
}

int main(int argc, char **argv)
{
    struct sentence *sentences = NULL;
    for (int i = 1; i < argc;) {
        struct sentence *s = malloc(sizeof *s);
        if (!s)
            abort();
        s->words = NULL;
        int last = 0;
        for (; i < argc && !last; i++) {
            s->words = add(s->words, argv[i]);
            last = is_last(argv[i]);
        }
        s->next = sentences;
        sentences = s;
    }
    while (sentences) {
        struct sentence *s = sentences;
        sentences = s->next;
        while (s->words) {
            struct word *w = s->words;
            s->words = w->next;
            printf("%s ", w->text);
            free(w->text);
            free(w);
        }
        printf("\n");
        free(s);
    }
    return 0;
}
