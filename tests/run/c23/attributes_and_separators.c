// std: gnu2x
#include <stdio.h>
#include <stdlib.h>

[[nodiscard]] static int must_use(void) { return 7; }
[[maybe_unused]] static int helper;
[[deprecated("old")]] static int ancient(void) { return 1; }
[[noreturn]] static void leave(int code) { exit(code); }
struct [[maybe_unused]] tagged { int a; [[deprecated]] int b; };
enum [[maybe_unused]] shade { DARK [[deprecated]], LIGHT };

static int steps([[maybe_unused]] int ignored, int n)
{
    int r = 0;
    switch (n) {
    case 3:
        r += 100;
        [[fallthrough]];
    case 2:
        r += 10;
        [[fallthrough]];
    case 1:
        r += 1;
        break;
    }
    return r;
}

int main(void)
{
    printf("%d %d\n", 1'000'000, 0xff'ff);
    printf("%d %lld\n", 0b1010'1010, 1'234'567'890'123LL);
    printf("%g\n", 1'000.5);
    printf("%d %d %d\n", steps(0, 1), steps(0, 2), steps(0, 3));
    [[maybe_unused]] int local = must_use();
    printf("%d %d\n", local, ancient());
    struct tagged t = {1, 2};
    for ([[maybe_unused]] int i = 0; i < 2; i++)
        t.a += 5;
    printf("%d\n", t.a);
    if (LIGHT)
        leave(9);
    return 0;
}
