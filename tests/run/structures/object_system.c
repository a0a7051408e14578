#include <stdio.h>
#include <stdlib.h>

/* Inheritance by embedding and tables of operations. */
struct shape;
struct operations { const char *name; double (*area)(const struct shape *); void (*scale)(struct shape *, double); void (*destroy)(struct shape *); };
struct shape { const struct operations *ops; int id; };
struct rectangle { struct shape base; double w, h; };
struct polygon { struct shape base; int n; double *xy; };

static double rectangle_area(const struct shape *s)
{
    const struct rectangle *r = (const struct rectangle *)s;
    return r->w * r->h;
}
static void rectangle_scale(struct shape *s, double k)
{
    struct rectangle *r = (struct rectangle *)s;
    r->w *= k;
    r->h *= k;
}
static void plain_destroy(struct shape *s) { free(s); }
static double polygon_area(const struct shape *s)
{
    const struct polygon *p = (const void *)s;
    double twice = 0;
    for (int i = 0; i < p->n; i++) {
        const double *a = p->xy + 2 * i, *b = p->xy + 2 * ((i + 1) % p->n);
        twice += a[0] * b[1] - b[0] * a[1];
    }
    return twice / 2;
}
static void polygon_scale(struct shape *s, double k)
{
    struct polygon *p = (void *)s;
    for (int i = 0; i < 2 * p->n; i++)
        p->xy[i] *= k;
}
static void polygon_destroy(struct shape *s) { free(((struct polygon *)s)->xy); free(s); }

static const struct operations rectangles = {"rectangle", rectangle_area, rectangle_scale, plain_destroy};
static const struct operations polygons = {.name = "polygon", .destroy = polygon_destroy, .area = polygon_area, .scale = polygon_scale};
static int next_id = 1;

static struct shape *rectangle(double w, double h)
{
    struct rectangle *r = malloc(sizeof *r);
    *r = (struct rectangle){{&rectangles, next_id++}, w, h};
    return &r->base;
}
static struct shape *triangle(double a, double b)
{
    struct polygon *p = malloc(sizeof *p);
    p->base = (struct shape){&polygons, next_id++};
    p->n = 3;
    p->xy = calloc(6, sizeof(double));
    p->xy[2] = a;
    p->xy[5] = b;
    return (struct shape *)p;
}

int main(void)
{
    struct shape *all[] = {rectangle(2, 3.5), NULL, NULL};
    all[1] = triangle(4, 5);
    all[2] = rectangle(1, 1);
    double total = 0;
    for (int i = 0; i < 3; i++) {
        all[i]->ops->scale(all[i], i + 1);
        double a = all[i]->ops->area(all[i]);
        printf("%d %s %g\n", all[i]->id, all[i]->ops->name, a);
        total += a;
    }
    printf("%g\n", total);
    for (int i = 0; i < 3; i++)
        all[i]->ops->destroy(all[i]);
    return (int)total;
}
