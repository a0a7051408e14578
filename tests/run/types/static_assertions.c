#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(char) == 1, "char is one byte");
_Static_assert(CHAR_BIT == 8, "eight bits");
_Static_assert((int)3.7 == 3, "casts of constants");
_Static_assert(INT_MAX + 1u == 0x80000000u, "unsigned arithmetic");
_Static_assert(-1 >> 1 == -1, "arithmetic shift");
_Static_assert(7 / -2 == -3 && 7 % -2 == 1, "truncation");
_Static_assert(sizeof "abc" == 4, "string");
_Static_assert((1 ? 2 : 3) == 2, "conditional");

struct header {
    char magic[4];
    int size;
    _Static_assert(sizeof(int) == 4, "inside a struct");
    short kind;
};
_Static_assert(offsetof(struct header, kind) == 8, "offset");
enum { COUNT = 3 };
static const char *const names[] = {"a", "b", "c"};
static_assert(sizeof names / sizeof *names == COUNT, "table in step");

int main(void)
{
    _Static_assert(COUNT > 2, "inside a function");
    for (int i = 0; i < COUNT; i++) {
        _Static_assert(1, "in a loop");
        printf("%s", names[i]);
    }
    putchar('\n');
    assert(COUNT == 3);
    return 0;
}
