#include <stdio.h>
#include <string.h>

static const struct { int value; char text[3]; } numerals[] = {
    {1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};

static char *roman(int n, char *out)
{
    *out = 0;
    for (int i = 0; n > 0; i++)
        for (; n >= numerals[i].value; n -= numerals[i].value)
            strcat(out, numerals[i].text);
    return out;
}
static int arabic(const char *s)
{
    int total = 0, previous = 0;
    for (const char *p = s + strlen(s); p-- > s;) {
        int v = 0;
        switch (*p) {
        case 'I': v = 1; break;
        case 'V': v = 5; break;
        case 'X': v = 10; break;
        case 'L': v = 50; break;
        case 'C': v = 100; break;
        case 'D': v = 500; break;
        case 'M': v = 1000;
        }
        total += v < previous ? -v : v;
        previous = v;
    }
    return total;
}
static void words(int n, char *out)
{
    static const char *small[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
                                  "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    static const char tens[][8] = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    if (n < 20)
        strcpy(out, small[n]);
    else if (n < 100) {
        strcpy(out, tens[n / 10 - 2]);
        if (n % 10) {
            strcat(out, "-");
            words(n % 10, out + strlen(out));
        }
    } else {
        words(n / 100, out);
        strcat(out, " hundred");
        if (n % 100) {
            strcat(out, " and ");
            words(n % 100, out + strlen(out));
        }
    }
}

int main(void)
{
    const int samples[] = {1, 4, 14, 40, 99, 400, 777, 944};
    int wrong = 0;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        char r[20], w[64];
        wrong += arabic(roman(samples[i], r)) != samples[i];
        words(samples[i], w);
        printf("%d %s %s\n", samples[i], r, w);
    }
    return wrong;
}
