#include <stdint.h>
#include <stdio.h>

struct header { int kind; };
struct named { struct header h; char name[8]; };
struct counted { struct header h; int count; };

static void show(const struct header *h)
{
    if (h->kind == 1)
        printf("named %s\n", ((const struct named *)h)->name);
    else
        printf("counted %d\n", ((const struct counted *)h)->count);
}
static int add(int a, int b) { return a + b; }

int main(void)
{
    struct named n = {{1}, "first"};
    struct counted c = {{2}, 9};
    show(&n.h);
    show((struct header *)&c);
    unsigned value = 0x01020304;
    unsigned char *bytes = (unsigned char *)&value;
    printf("%d %d %d %d\n", bytes[0], bytes[1], bytes[2], bytes[3]);
    const int constant = 5;
    const int *pc = &constant;
    printf("%d\n", *(int *)pc);
    void *generic = &n;
    printf("%d\n", ((struct header *)generic)->kind);
    void (*erased)(void) = (void (*)(void))add;
    printf("%d\n", ((int (*)(int, int))erased)(20, 22));
    printf("%d %d %d\n", (int)-1.9, (int)'A', (int)(char)0x141);
    printf("%u %lld\n", (unsigned)(short)-1, (long long)(unsigned)(short)-1);
    printf("%d\n", (signed char)(unsigned char)(int)3.7e2);
    (void)add(1, 2);
    (void)0;
    int matrix[2][2] = {{1, 2}, {3, 4}};
    int *flat = (int *)matrix;
    printf("%d\n", flat[1]);
    int64_t packed = (int64_t)((uint64_t)7 << 32 | 9u);
    printf("%d %d\n", (int)(packed >> 32), (int)packed);
    printf("%d\n", (int)(uint8_t)~(uint8_t)0x0f);
    return 0;
}
