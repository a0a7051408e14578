#include <stdio.h>
#include <string.h>

#define COLOURS(X) X(RED, 0xff0000) X(GREEN, 0x00ff00) X(BLUE, 0x0000ff)
#define AS_ENUM(name, value) name,
#define AS_NAME(name, value) #name,
#define AS_CASE(name, value) case name: return value;
#define AS_FIELD(name, value) int count_##name;

enum colour { COLOURS(AS_ENUM) COLOUR_COUNT };
static const char *const names[] = {COLOURS(AS_NAME)};
struct counts { COLOURS(AS_FIELD) };
static int value(enum colour c)
{
    switch (c) {
        COLOURS(AS_CASE)
    default: return -1;
    }
}

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define UNIQUE(prefix) CAT(prefix, __LINE__)
#define ARGUMENTS(...) ARGUMENTS_(__VA_ARGS__, 5, 4, 3, 2, 1)
#define ARGUMENTS_(a, b, c, d, e, n, ...) n
#define DEBUG(format, args...) printf("[debug] " format "\n", ##args)
#define REPEAT(n, body) do { for (int r_ = 0; r_ < (n); r_++) { body; } } while (0)
#define EMPTY
#define PAREN(...) (__VA_ARGS__)

static int UNIQUE(variable_) = 4;

int main(void)
{
    for (enum colour c = RED; c < COLOUR_COUNT; c++)
        printf("%s %06x\n", names[c], value(c));
    struct counts k = {.count_GREEN = 2};
    printf("%d %d\n", k.count_GREEN, k.count_BLUE);
    printf("%d %d\n", ARGUMENTS(a), ARGUMENTS(a, b, c));
    DEBUG("plain");
    DEBUG("%d and %s", 5, "text");
    int n = 0;
    REPEAT(3, n += 2; if (n == 4) continue; printf("%d ", n));
    putchar('\n');
    printf("%d\n", value EMPTY PAREN(BLUE));
    printf("%d\n", variable_31);
    return 0;
}
