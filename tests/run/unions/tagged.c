#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A dynamically typed value: tag plus anonymous union. */
typedef struct value {
    enum { NIL, INT, STR, PAIR } tag;
    union {
        int number;
        char *text;
        struct { struct value *car, *cdr; };
    };
} value;

static value *make(int tag)
{
    value *v = calloc(1, sizeof *v);
    v->tag = tag;
    return v;
}
static value *integer(int n) { value *v = make(INT); v->number = n; return v; }
static value *string(const char *s)
{
    value *v = make(STR);
    v->text = malloc(strlen(s) + 1);
    strcpy(v->text, s);
    return v;
}
static value *cons(value *a, value *b)
{
    value *v = make(PAIR);
    v->car = a, v->cdr = b;
    return v;
}
static void print(const value *v)
{
    switch (v->tag) {
    case NIL: printf("nil"); break;
    case INT: printf("%d", v->number); break;
    case STR: printf("\"%s\"", v->text); break;
    case PAIR:
        putchar('(');
        print(v->car);
        printf(" . ");
        print(v->cdr);
        putchar(')');
    }
}
static int destroy(value *v)
{
    int n = 1;
    if (v->tag == PAIR)
        n += destroy(v->car) + destroy(v->cdr);
    else if (v->tag == STR)
        free(v->text);
    free(v);
    return n;
}

int main(void)
{
    value *v = cons(integer(1), cons(string("two"), cons(cons(integer(3), integer(4)), make(NIL))));
    print(v);
    putchar('\n');
    int n = destroy(v);
    printf("%d values\n", n);
    return n == 9 ? 0 : 1;
}
