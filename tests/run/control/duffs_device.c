#include <stdio.h>

static void copy(char *to, const char *from, int count)
{
    int rounds = (count + 7) / 8;
    if (count == 0)
        return;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
}

/* A case label inside an if inside the switch. */
static int odd_shape(int n)
{
    int r = 0;
    switch (n) {
        if (0) {
    case 1:
            r += 1;
        } else {
    case 2:
            r += 20;
        }
    case 3:
        r += 300;
        for (; r < 1000; r += 100) {
    case 4:
            r += 4000;
        }
    }
    return r;
}

int main(void)
{
    const char *text = "the quick brown fox jumps over the lazy dog";
    for (int n = 0; n <= 43; n += 6) {
        char buffer[64] = {0};
        copy(buffer, text, n);
        printf("%2d [%s]\n", n, buffer);
    }
    for (int i = 0; i <= 4; i++)
        printf("%d ", odd_shape(i));
    putchar('\n');
    return 0;
}
