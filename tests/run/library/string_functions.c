#include <stdio.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char a[32] = "hello", b[32];
    printf("%zu %zu\n", strlen(a), strlen(""));
    printf("%s\n", strcpy(b, a));
    printf("%s\n", strcat(b, " world"));
    printf("%s\n", strncat(b, "!!!!!", 2));
    memset(b, '#', sizeof b);
    strncpy(b, "abc", 6);
    printf("%s %d %c\n", b, b[5], b[6]);
    printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"));
    printf("%d %d\n", sign(strcmp("abc", "ab")), sign(strncmp("abc", "abd", 2)));
    printf("%d\n", sign(strcmp("\x80", "a")));
    printf("%s %s\n", strchr(a, 'l'), strrchr(a, 'l'));
    printf("%d %d\n", strchr(a, 'z') == NULL, *strchr(a, 0));
    printf("%s %d\n", strstr("find the needle", "need"), strstr("abc", "x") == NULL);
    printf("%s\n", strstr("anything", ""));
    printf("%zu %zu\n", strspn("aabbcx", "abc"), strcspn("key=value", "="));
    printf("%s\n", strpbrk("one,two;three", ";,"));
    printf("%d %d\n", sign(memcmp("ab\0c", "ab\0d", 4)), memcmp("ab", "ax", 1));
    printf("%s\n", (char *)memchr("search", 'r', 6));
    char m[] = "0123456789";
    memmove(m + 2, m, 5);
    printf("%s\n", m);
    memmove(m, m + 3, 5);
    printf("%s\n", m);
    memcpy(m, "xyz", 3);
    printf("%s\n", m);
    char list[] = "a, b,,c ;d";
    for (char *t = strtok(list, ", ;"); t; t = strtok(NULL, ", ;"))
        printf("<%s>", t);
    putchar('\n');
    printf("%zu\n", strnlen("bounded", 4));
    return 0;
}
