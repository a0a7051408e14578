#include <stdio.h>

/* A scanner for numbers driven by a two-dimensional table. */
enum state { START, SIGN, WHOLE, POINT, FRACTION, EXPONENT, EXP_SIGN, EXP_DIGITS, STATES, NO = -1 };
enum class { DIGIT, PLUS_MINUS, DOT, E, OTHER, CLASSES };

static const signed char next[STATES][CLASSES] = {
    [START] = {WHOLE, SIGN, POINT, NO, NO},
    [SIGN] = {WHOLE, NO, POINT, NO, NO},
    [WHOLE] = {WHOLE, NO, FRACTION, EXPONENT, NO},
    [POINT] = {FRACTION, NO, NO, NO, NO},
    [FRACTION] = {FRACTION, NO, NO, EXPONENT, NO},
    [EXPONENT] = {EXP_DIGITS, EXP_SIGN, NO, NO, NO},
    [EXP_SIGN] = {EXP_DIGITS, NO, NO, NO, NO},
    [EXP_DIGITS] = {EXP_DIGITS, NO, NO, NO, NO},
};
static const unsigned char classes[256] = {
    [0 ... 255] = OTHER, ['0' ... '9'] = DIGIT, ['+'] = PLUS_MINUS, ['-'] = PLUS_MINUS, ['.'] = DOT, ['e'] = E, ['E'] = E};
static const _Bool accepting[STATES] = {[WHOLE] = 1, [FRACTION] = 1, [EXP_DIGITS] = 1};

static int scan(const char *s)
{
    int state = START;
    for (; *s; s++)
        if ((state = next[state][classes[(unsigned char)*s]]) == NO)
            return 0;
    return accepting[state];
}

int main(void)
{
    const char *samples[] = {"42", "-3.14", ".5", "5.", "1e10", "1e", "+", "", "1.2.3", "6.02E+23", "--1", "0x1"};
    int yes = 0;
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        int ok = scan(samples[i]);
        printf("%-9s %s\n", samples[i], ok ? "number" : "no");
        yes += ok;
    }
    return yes;
}
