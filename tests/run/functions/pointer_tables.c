#include <stdio.h>
#include <string.h>

typedef double (*binary)(double, double);
static double add(double a, double b) { return a + b; }
static double sub(double a, double b) { return a - b; }
static double mul(double a, double b) { return a * b; }
static double dvd(double a, double b) { return b ? a / b : 0; }

static const struct { char symbol; int precedence; binary apply; } table[] = {
    {'+', 1, add}, {'-', 1, sub}, {'*', 2, mul}, {'/', 2, dvd}};

static const char *at;

static double number(void)
{
    double v = 0;
    if (*at == '(') {
        at++;
        extern double expression(int);
        v = expression(1);
        at++;
        return v;
    }
    while (*at >= '0' && *at <= '9')
        v = v * 10 + (*at++ - '0');
    return v;
}

double expression(int minimum)
{
    double left = number();
    for (;;) {
        int i;
        for (i = 0; i < 4; i++)
            if (table[i].symbol == *at)
                break;
        if (i == 4 || table[i].precedence < minimum)
            return left;
        at++;
        left = table[i].apply(left, expression(table[i].precedence + 1));
    }
}

static double evaluate(const char *s) { at = s; return expression(1); }

int main(void)
{
    printf("%g\n", evaluate("1+2*3"));
    printf("%g\n", evaluate("(1+2)*3"));
    printf("%g\n", evaluate("100-10-5"));
    printf("%g\n", evaluate("7/2*4"));
    printf("%g\n", evaluate("2*(3+4)*(5-(6-7))"));
    printf("%g\n", evaluate("1/0"));
    return 0;
}
