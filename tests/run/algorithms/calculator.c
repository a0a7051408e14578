#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* Recursive descent to a tree, then printing and evaluating the tree. */
struct node { char op; int value; struct node *left, *right; };
static const char *in;
static int errors;

static struct node *node(char op, int value, struct node *l, struct node *r)
{
    struct node *n = malloc(sizeof *n);
    *n = (struct node){op, value, l, r};
    return n;
}
static struct node *sum(void);
static char peek(void)
{
    while (*in == ' ')
        in++;
    return *in;
}
static struct node *atom(void)
{
    if (peek() == '-') {
        in++;
        return node('~', 0, atom(), NULL);
    }
    if (peek() == '(') {
        in++;
        struct node *n = sum();
        if (peek() == ')')
            in++;
        else
            errors++;
        return n;
    }
    if (!isdigit((unsigned char)peek()))
        errors++;
    return node('#', (int)strtol(in, (char **)&in, 10), NULL, NULL);
}
static struct node *term(void)
{
    struct node *n = atom();
    while (peek() == '*' || peek() == '/' || peek() == '%') {
        char op = *in++;
        n = node(op, 0, n, atom());
    }
    return n;
}
static struct node *sum(void)
{
    struct node *n = term();
    while (peek() == '+' || peek() == '-') {
        char op = *in++;
        n = node(op, 0, n, term());
    }
    return n;
}
static int value(const struct node *n)
{
    if (n->op == '#')
        return n->value;
    int l = value(n->left), r = n->right ? value(n->right) : 0;
    switch (n->op) {
    case '+': return l + r;
    case '-': return l - r;
    case '*': return l * r;
    case '/': return r ? l / r : (errors++, 0);
    case '%': return r ? l % r : (errors++, 0);
    case '~': return -l;
    }
    return 0;
}
static void print(const struct node *n)
{
    if (n->op == '#')
        printf("%d", n->value);
    else {
        printf("(%c ", n->op);
        print(n->left);
        if (n->right)
            putchar(' '), print(n->right);
        putchar(')');
    }
}
static void drop(struct node *n)
{
    if (n)
        drop(n->left), drop(n->right), free(n);
}

int main(void)
{
    const char *tests[] = {"1 + 2 * 3", "(1+2)*-3", "100/7%5 - 2", "2*(3+4", "1/(2-2)", "x"};
    int total = 0;
    for (int i = 0; i < 6; i++) {
        in = tests[i];
        errors = 0;
        struct node *n = sum();
        int v = value(n);
        print(n);
        printf(" = %d, %d errors\n", v, errors);
        drop(n);
        total += errors;
    }
    return total;
}
