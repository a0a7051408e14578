#include <stdio.h>
#include <stdlib.h>

/* Cells in two lists at once: along their row and along their column. */
struct cell { int row, column, value; struct cell *right, *down; };
struct sparse { int rows, columns; struct cell **row, **column; };

static struct sparse *sparse_new(int rows, int columns)
{
    struct sparse *s = malloc(sizeof *s);
    s->rows = rows, s->columns = columns;
    s->row = calloc(rows, sizeof *s->row);
    s->column = calloc(columns, sizeof *s->column);
    return s;
}
static void set(struct sparse *s, int row, int column, int value)
{
    struct cell **across = &s->row[row], **along = &s->column[column];
    while (*across && (*across)->column < column)
        across = &(*across)->right;
    if (*across && (*across)->column == column) {
        (*across)->value = value;
        return;
    }
    while (*along && (*along)->row < row)
        along = &(*along)->down;
    struct cell *c = malloc(sizeof *c);
    *c = (struct cell){row, column, value, *across, *along};
    *across = *along = c;
}
static int column_sum(const struct sparse *s, int column)
{
    int n = 0;
    for (const struct cell *c = s->column[column]; c; c = c->down)
        n += c->value;
    return n;
}
static int times_vector(const struct sparse *s, const int *v, int row)
{
    int n = 0;
    for (const struct cell *c = s->row[row]; c; c = c->right)
        n += c->value * v[c->column];
    return n;
}
static int sparse_free(struct sparse *s)
{
    int n = 0;
    for (int r = 0; r < s->rows; r++)
        for (struct cell *c = s->row[r], *next; c; c = next, n++) {
            next = c->right;
            free(c);
        }
    free(s->row);
    free(s->column);
    free(s);
    return n;
}

int main(void)
{
    struct sparse *s = sparse_new(4, 5);
    for (int i = 0; i < 20; i += 3)
        set(s, i % 4, i * 2 % 5, i - 5);
    set(s, 0, 0, 100);
    int v[5] = {1, 2, 3, 4, 5};
    for (int r = 0; r < 4; r++)
        printf("%d ", times_vector(s, v, r));
    putchar('\n');
    for (int c = 0; c < 5; c++)
        printf("%d ", column_sum(s, c));
    putchar('\n');
    int n = sparse_free(s);
    printf("%d cells\n", n);
    return n;
}
