#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct natural { char c; double d; short s; };
struct packed { char c; int i; short s; } __attribute__((packed));
struct aligned { char c; _Alignas(16) int i; };
struct __attribute__((aligned(32))) whole { char c; };
struct partly { char a; int b __attribute__((packed)); short c; };
struct __attribute__((packed, aligned(4))) both { char c; int i; short s; };
#pragma pack(push, 2)
struct pragma_packed { char c; int i; };
#pragma pack(pop)
struct after { char c; int i; };

static _Alignas(64) char buffer[10];
static alignas(double) char cell[sizeof(double)];

#define SHOW(t) printf("%s %d %d\n", #t, (int)sizeof(struct t), (int)_Alignof(struct t))

int main(void)
{
    SHOW(natural);
    SHOW(packed);
    SHOW(aligned);
    SHOW(whole);
    SHOW(partly);
    SHOW(both);
    SHOW(pragma_packed);
    SHOW(after);
    printf("%d %d %d\n", (int)offsetof(struct packed, s), (int)offsetof(struct partly, c), (int)offsetof(struct aligned, i));
    printf("%d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)cell % alignof(double)));
    printf("%d %d %d\n", (int)_Alignof(char), (int)_Alignof(int), (int)__alignof__(short));
    struct packed p = {'a', 0x01020304, 5};
    p.i += 1;
    printf("%x %d\n", p.i, p.s);
    struct whole two[2];
    printf("%d\n", (int)((char *)&two[1] - (char *)&two[0]));
    return 0;
}
