#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int never_used(int) __attribute__((unused));
static int never_used(int x) { return x; }
static void fatal(const char *why) __attribute__((noreturn, cold));
static int log_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }
static int __attribute__((noinline, pure)) half(int x) { return x / 2; }
__attribute__((const)) static int third(int x) { return x / 3; }
static char *duplicate(const char *s) __attribute__((malloc, nonnull(1), warn_unused_result));
static int counter __attribute__((section(".data"), used)) = 4;
static int array[4] __attribute__((aligned(16)));
typedef int vector_like __attribute__((aligned(8)));
struct __attribute__((packed)) small { char c; int i; };
struct late { char c; int i; } __attribute__((__packed__));
enum e { E0 __attribute__((unused)), E1 __attribute__((deprecated)) };
extern int imported __attribute__((weak));

static void fatal(const char *why)
{
    printf("fatal: %s\n", why);
    exit(4);
}
static int log_line(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vprintf(format, ap);
    va_end(ap);
    return n;
}
static char *duplicate(const char *s)
{
    char *p = malloc(8);
    snprintf(p, 8, "%s", s);
    return p;
}
static int classify(int n, int unused_parameter __attribute__((unused)))
{
    int r __attribute__((unused)) = 0;
    switch (n) {
    case 0:
        r++;
        __attribute__((fallthrough));
    case 1:
        r += 10;
        break;
    default:
        r = -1;
    }
    return r;
}
static __attribute__((constructor)) void before(void) { counter *= 10; }

int main(void)
{
    printf("%d %d %d %d\n", twice(4), half(9), third(9), counter);
    printf("%d\n", log_line("%d-%s\n", 5, "x"));
    char *p = duplicate("attributes");
    printf("%s %d\n", p, array[3]);
    free(p);
    printf("%d %d %d\n", (int)sizeof(struct small), (int)sizeof(struct late), (int)_Alignof(vector_like));
    printf("%d %d %d\n", classify(0, 0), classify(1, 0), classify(2, 0));
    fatal("end");
}
