#include <stdio.h>

/* Loops through macros that declare their own variables. */
#define for_each(type, item, array) \
    for (type *item = (array), *end_##item = item + sizeof(array) / sizeof *(array); item < end_##item; item++)
#define with(type, name, value) for (type name = (value), *once_ = &name; once_; once_ = 0)
#define between(lo, x, hi) ({ __auto_type v_ = +(x); (lo) <= v_ && v_ <= (hi); })

struct employee { const char *name; unsigned age : 7; unsigned grade : 3; float pay; };

typedef int triple[3];

static inline float raise_by(struct employee *e, float percent) { return e->pay += e->pay * percent / 100; }

int main(void)
{
    struct employee staff[] = {{"ada", 36, 5, 100}, {"bob", 99, 1, 50.5f}, {.name = "cy", .pay = 80, .grade = 7}};
    for_each(struct employee, e, staff)
        printf("%-4s %3u %u %6.2f\n", e->name, e->age, e->grade, e->pay);
    for_each(struct employee, e, staff) {
        if (!between(1, e->age, 120))
            continue;
        for_each(struct employee, f, staff)
            if (f->grade > e->grade)
                printf("%s < %s\n", e->name, f->name);
    }
    with(int, total, 0) {
        for_each(struct employee, e, staff)
            total += (int)raise_by(e, 50);
        printf("%d\n", total);
    }
    int grid[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, trace = 0;
    for_each(triple, row, grid)
        for_each(int, cell, *row)
            trace += row - grid == cell - *row ? *cell : 0;
    return trace;
}
