// std: gnu2x
#include <stdio.h>

#define FIRST 1
#ifdef SECOND
static const char *branch = "second";
#elifdef FIRST
static const char *branch = "first";
#else
static const char *branch = "none";
#endif

#ifdef MISSING
static int number = 1;
#elifndef ALSO_MISSING
static int number = 2;
#endif

#define LOG(fmt, ...) printf(fmt __VA_OPT__(, ) __VA_ARGS__)
#define COUNT(...) (0 __VA_OPT__(+ 1))
#define JOIN(a, b) a##b
#define DEFER(a, b) JOIN(a, b)

#if __has_include(<stdio.h>) && 0b11 == 3 && 1'000 == 1000
#define CONDITION "yes"
#else
#define CONDITION "no"
#endif

int main(void)
{
    int xy = 6, value12 = 12;
    printf("%s %d %s\n", branch, number, CONDITION);
    LOG("plain\n");
    LOG("%d %d\n", 1, 2);
    printf("%d %d\n", COUNT(), COUNT(a, b));
    printf("%d %d\n", JOIN(x, y), DEFER(value, 12));
    printf("%d\n", u8'A');
    return 0;
}
