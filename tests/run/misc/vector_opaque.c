#include <stdio.h>
#include <string.h>

/* Vector types stored and copied only. */
typedef int v4 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));
struct box { char c; v4 v; };

int main(void)
{
    int source[4] = {1, 2, 3, 4}, target[4];
    v4 a;
    memcpy(&a, source, sizeof a);
    v4 b = a;
    memcpy(target, &b, sizeof target);
    printf("%d %d %d\n", target[0], target[3], (int)sizeof(v4));
    struct box x = {'x', a}, y = x;
    memcpy(target, &y.v, sizeof target);
    printf("%d %c %d %d\n", target[2], y.c, (int)sizeof x, (int)_Alignof(v4));
    v4 array[2];
    array[1] = b;
    printf("%d %d\n", memcmp(&array[1], source, 16), (int)sizeof(f2));
    return 0;
}
