#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { char name[12]; int age; };

static int by_int(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_string(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int by_age(const void *a, const void *b)
{
    const struct person *p = a, *q = b;
    return p->age != q->age ? q->age - p->age : strcmp(p->name, q->name);
}
static int find_name(const void *key, const void *element) { return strcmp(key, ((const struct person *)element)->name); }

int main(void)
{
    int v[] = {9, -3, 7, 0, 7, 100, -50, 2};
    int n = sizeof v / sizeof *v;
    qsort(v, n, sizeof *v, by_int);
    for (int i = 0; i < n; i++)
        printf("%d ", v[i]);
    putchar('\n');
    int key = 7, missing = 8;
    int *hit = bsearch(&key, v, n, sizeof *v, by_int);
    printf("%d %d\n", *hit, bsearch(&missing, v, n, sizeof *v, by_int) == NULL);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
    qsort(words, 5, sizeof *words, by_string);
    for (int i = 0; i < 5; i++)
        printf("%s ", words[i]);
    putchar('\n');
    struct person people[] = {{"ann", 30}, {"bob", 25}, {"cid", 30}, {"dee", 41}, {"eve", 25}};
    qsort(people, 5, sizeof *people, by_age);
    for (int i = 0; i < 5; i++)
        printf("%s:%d ", people[i].name, people[i].age);
    putchar('\n');
    struct person sorted[] = {{"a", 1}, {"c", 2}, {"f", 3}, {"k", 4}};
    struct person *p = bsearch("f", sorted, 4, sizeof *sorted, find_name);
    printf("%d\n", p ? p->age : -1);
    qsort(v, 0, sizeof *v, by_int);
    return p - sorted;
}
