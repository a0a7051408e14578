//~ SAFE
/* Scans constant text with a moving pointer. */
#include <assert.h>

static int count(const char *s, char c)
{
    int n = 0;
    while (*s)
        if (*s++ == c)
            n++;
    return n;
}

int main(void)
{
    const char *text = "a,b,,c";
    assert(count(text, ',') == 3);
    assert(count("", 'x') == 0);
    return 0;
}
