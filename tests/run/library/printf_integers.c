#include <stddef.h>
#include <stdio.h>

int main(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", -42, -42, -42, -42, -42, -42);
    printf("[%u] [%x] [%X] [%o] [%#x] [%#o]\n", 255u, 255u, 255u, 255u, 255u, 255u);
    printf("[%ld] [%lu] [%lld] [%llu] [%llx]\n", -1L, 1UL, -1LL, 1ULL << 63, 0xabcdefULL);
    printf("[%zu] [%zd] [%td] [%jd]\n", sizeof(int), (ssize_t)-3, (ptrdiff_t)(-7), (__INTMAX_TYPE__)9);
    printf("[%hd] [%hhd] [%hu] [%hhu] [%hhx]\n", (short)70000, (signed char)300, (unsigned short)70000, (unsigned char)300, 0x1ff);
    printf("[%*d] [%-*d] [%0*d]\n", 6, 1, 6, 2, 6, 3);
    printf("[%.3d] [%8.3d] [%-8.3d] [%.0d]\n", 5, 5, 5, 0);
    printf("[%i] [%%] [%c%c] [%5c] [%-5c]\n", 7, 'a', 98, 'c', 'd');
    printf("[%+5d] [%-+5d] [%#08x] [%x]\n", 3, 3, 0xabcu, -1);
    int n = printf("%s", "");
    printf("%d\n", n);
    n = printf("%d,%d\n", 123, -45);
    printf("%d\n", n);
    printf("[%08d] [%8u] [%-8x|] [%08llx]\n", -123, 77u, 0xbeefu, 0x1234ULL);
    printf("[%*.*f] [%.*s]\n", 8, 2, 3.14159, 2, "abcdef");
    return 0;
}
