#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message { int length; unsigned char kind; char text[]; };
struct old { int n; double v[0]; };
struct last_one { int n; int v[1]; };

static struct message *message(unsigned char kind, const char *text)
{
    int n = (int)strlen(text);
    struct message *m = malloc(sizeof *m + n + 1);
    m->length = n;
    m->kind = kind;
    memcpy(m->text, text, n + 1);
    return m;
}

static struct message initialised = {3, 1, "abc"};

int main(void)
{
    struct message *list[3];
    list[0] = message('a', "short");
    list[1] = message('b', "a somewhat longer text");
    list[2] = message('c', "");
    for (int i = 0; i < 3; i++)
        printf("%c %d [%s]\n", list[i]->kind, list[i]->length, list[i]->text);
    list[1] = realloc(list[1], sizeof(struct message) + 40);
    strcat(list[1]->text, "!");
    printf("%s %d\n", list[1]->text, list[1]->length);
    for (int i = 0; i < 3; i++)
        free(list[i]);

    struct old *o = malloc(sizeof *o + 4 * sizeof(double));
    o->n = 4;
    for (int i = 0; i < o->n; i++)
        o->v[i] = i * 0.25;
    printf("%g %d\n", o->v[3], (int)(sizeof(struct message) % 4));
    free(o);
    printf("%s %d\n", initialised.text, initialised.length);
    return 0;
}
