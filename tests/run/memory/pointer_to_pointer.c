#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int allocate(char **out, int n)
{
    *out = malloc(n + 1);
    memset(*out, '*', n);
    (*out)[n] = 0;
    return n;
}
static char **split(const char *s, int *count)
{
    char **list = NULL;
    *count = 0;
    while (*s) {
        size_t n = strcspn(s, ",");
        list = realloc(list, (*count + 2) * sizeof *list);
        list[*count] = malloc(n + 1);
        memcpy(list[*count], s, n);
        list[(*count)++][n] = '\0';
        list[*count] = NULL;
        s += n + (s[n] == ',');
    }
    return list;
}
static void advance(const char **p) { ++*p; }

int main(void)
{
    char *stars;
    int n = allocate(&stars, 5);
    printf("%s %d\n", stars, n);
    free(stars);
    char **parts = split("alpha,be,,gamma", &n);
    for (char **p = parts; *p; p++)
        printf("[%s]", *p);
    printf(" %d\n", n);
    for (char **p = parts + n; p-- > parts;)
        free(*p);
    free(parts);
    int x = 1, *p = &x, **pp = &p, ***ppp = &pp;
    ***ppp = 5;
    int y = 9;
    **ppp = &y;
    printf("%d %d %d\n", x, *p, **pp);
    const char *s = "walk";
    advance(&s);
    advance(&s);
    puts(s);
    int rows[3][2] = {{1, 2}, {3, 4}, {5, 6}}, *index[3];
    for (int i = 0; i < 3; i++)
        index[i] = rows[2 - i];
    int **table = index;
    printf("%d %d\n", table[0][1], table[2][0]);
    return 0;
}
