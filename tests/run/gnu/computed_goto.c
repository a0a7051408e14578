#include <stdio.h>

/* Labels as values: a threaded interpreter and a table of label differences. */
enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, HALT };

static int run(const int *code)
{
    static void *const table[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&halt};
    int stack[16], sp = 0, pc = 0, t;
#define NEXT goto *table[code[pc++]]
    NEXT;
push: stack[sp++] = code[pc++]; NEXT;
add: sp--; stack[sp - 1] += stack[sp]; NEXT;
mul: sp--; stack[sp - 1] *= stack[sp]; NEXT;
dup: stack[sp] = stack[sp - 1]; sp++; NEXT;
jnz: t = code[pc++]; if (stack[sp - 1]) pc = t; NEXT;
dec: stack[sp - 1]--; NEXT;
swap: t = stack[sp - 1]; stack[sp - 1] = stack[sp - 2]; stack[sp - 2] = t; NEXT;
halt: return stack[sp - 2];
}

static const char *classify(int n)
{
    void *target = n < 0 ? &&negative : n == 0 ? &&zero : &&positive;
    goto *target;
negative: return "negative";
zero: return "zero";
positive: return "positive";
}

int main(void)
{
    /* 3 to the power of 5 */
    const int program[] = {PUSH, 1, PUSH, 5, SWAP, PUSH, 3, MUL, SWAP, DEC, JNZ, 4, HALT};
    printf("%d\n", run(program));
    const int sum[] = {PUSH, 20, DUP, ADD, PUSH, 0, HALT};
    printf("%d\n", run(sum));
    for (int i = -1; i <= 1; i++)
        printf("%s\n", classify(i));
    return 0;
}
