//~ SAFE
/* Arguments that nobody takes, of several types, and a message that is printed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int ignore(int first, ...) { return first; }

static void message(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
}

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = ignore(4, p, 2.5, 'c');
    message("%d and %ld: %s\n", *p, 5L, "text");
    free(p);
    return 0;
}
