#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i < 4; i++)
        a[i] = i * i;
    a = realloc(a, 8 * sizeof *a);
    for (int i = 4; i < 8; i++)
        a[i] = -i;
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += a[i];
    printf("%d %d\n", s, a[3]);
    a = realloc(a, 2 * sizeof *a);
    printf("%d %d\n", a[0], a[1]);
    free(a);
    free(NULL);
    char *z = calloc(10, 3);
    int zeros = 0;
    for (int i = 0; i < 30; i++)
        zeros += z[i] == 0;
    printf("%d\n", zeros);
    free(z);
    char *r = realloc(NULL, 6);
    strcpy(r, "fresh");
    puts(r);
    free(r);
    char *d = strdup("duplicate");
    d[0] = 'D';
    puts(d);
    char *e = strndup(d, 3);
    puts(e);
    free(d);
    free(e);
    void *aligned = aligned_alloc(64, 128);
    printf("%d\n", (int)((unsigned long)aligned % 64));
    free(aligned);
    char **table = malloc(3 * sizeof *table);
    for (int i = 0; i < 3; i++) {
        table[i] = malloc(8);
        sprintf(table[i], "row%d", i);
    }
    for (int i = 2; i >= 0; i--) {
        puts(table[i]);
        free(table[i]);
    }
    free(table);
    return 0;
}
