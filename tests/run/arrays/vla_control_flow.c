#include <stdio.h>

/* Variable-length arrays entered and left by loops, break, continue and goto. */
static int digits(unsigned value, int base)
{
    int round = 0, checksum = 0;
again:;
    int length = 0;
    for (unsigned v = value; v; v /= base)
        length++;
    char text[length + 1];
    text[length] = 0;
    for (unsigned v = value, i = length; i-- > 0; v /= base)
        text[i] = "0123456789abcdef"[v % base];
    printf("%s\n", text);
    for (int i = 0; text[i]; i++)
        checksum += text[i];
    if (++round < 3) {
        value = value * 3 + 1;
        goto again;
    }
    return checksum;
}

static int scan(int n)
{
    int kept = 0;
    for (int i = 1; i < n; i++) {
        int square[i];
        if (i % 2)
            continue;
        if (i > 8)
            break;
        for (int j = 0; j < i; j++)
            square[j] = j * j;
        kept += square[i - 1];
    }
    return kept;
}

int main(void)
{
    printf("%d\n", digits(255, 16));
    printf("%d\n", digits(5, 2));
    printf("%d\n", scan(20));
    return 0;
}
