#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix { int rows, columns; double cell[]; };
#define AT(m, i, j) ((m)->cell[(i) * (m)->columns + (j)])

static struct matrix *zero(int rows, int columns)
{
    struct matrix *m = calloc(1, sizeof *m + rows * columns * sizeof(double));
    m->rows = rows;
    m->columns = columns;
    return m;
}
static struct matrix *from(int rows, int columns, const double v[rows][columns])
{
    struct matrix *m = zero(rows, columns);
    memcpy(m->cell, v, rows * columns * sizeof(double));
    return m;
}
static struct matrix *product(const struct matrix *a, const struct matrix *b)
{
    struct matrix *m = zero(a->rows, b->columns);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++)
            for (int k = 0; k < a->columns; k++)
                AT(m, i, j) += AT(a, i, k) * AT(b, k, j);
    return m;
}
static double determinant(const struct matrix *source)
{
    int n = source->rows;
    struct matrix *m = from(n, n, (const double(*)[n])source->cell);
    double d = 1;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        while (pivot < n && AT(m, pivot, c) == 0)
            pivot++;
        if (pivot == n) {
            d = 0;
            break;
        }
        if (pivot != c) {
            for (int j = 0; j < n; j++) {
                double t = AT(m, c, j);
                AT(m, c, j) = AT(m, pivot, j);
                AT(m, pivot, j) = t;
            }
            d = -d;
        }
        d *= AT(m, c, c);
        for (int i = c + 1; i < n; i++) {
            double f = AT(m, i, c) / AT(m, c, c);
            for (int j = c; j < n; j++)
                AT(m, i, j) -= f * AT(m, c, j);
        }
    }
    free(m);
    return d;
}
static void print(const struct matrix *m)
{
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++)
            printf("%g%c", AT(m, i, j), j + 1 < m->columns ? ' ' : '\n');
}

int main(void)
{
    struct matrix *a = from(2, 3, (double[2][3]){{1, 2, 3}, {4, 5, 6}});
    struct matrix *b = from(3, 2, (double[3][2]){{1, 0}, {0.5, 2}, {-1, 1}});
    struct matrix *ab = product(a, b), *ba = product(b, a);
    print(ab);
    print(ba);
    printf("%g %g\n", determinant(ab), determinant(ba));
    struct matrix *s = from(3, 3, (double[3][3]){{0, 2, 1}, {4, 0, 2}, {2, 1, 8}});
    printf("%g\n", determinant(s));
    free(a), free(b), free(ab), free(ba), free(s);
    return 0;
}
