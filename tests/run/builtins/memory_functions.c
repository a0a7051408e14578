#include <stdio.h>

int main(void)
{
    char a[16], b[16];
    __builtin_memset(a, 'x', sizeof a);
    a[15] = 0;
    __builtin_memcpy(b, a, 16);
    __builtin_memmove(b + 1, b, 8);
    __builtin_strcpy(b + 3, "mid");
    printf("%s %s %d\n", a, b, (int)__builtin_strlen(b));
    printf("%d %d\n", __builtin_memcmp(a, b, 3), __builtin_strcmp("abc", "abd") < 0);
    printf("%d\n", __builtin_strncmp("abcdef", "abcxyz", 3));
    printf("%s %s\n", __builtin_strchr("path/file", '/'), __builtin_strstr("haystack", "st"));
    __builtin_strcat(__builtin_strncpy(b, "prefix", 7), "-x");
    __builtin_puts(b);
    __builtin_printf("%d\n", 5);
    int *heap = __builtin_malloc(3 * sizeof *heap);
    for (int i = 0; i < 3; i++)
        heap[i] = i + 1;
    __builtin_printf("%d\n", heap[0] + heap[1] + heap[2]);
    __builtin_free(heap);
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(16.0), __builtin_inf());
    printf("%d %d\n", __builtin_isnan(__builtin_nan("")) != 0, __builtin_huge_val() > 1e300);
    printf("%d\n", (a[0] == 0 && __builtin_object_size(a, 0) == 16) || 1);
    __builtin_exit(3);
}
