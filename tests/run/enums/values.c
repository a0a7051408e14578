#include <stdio.h>

enum state { IDLE, RUN = 10, STOP, FAIL = -2, LAST };
enum flags { A = 1 << 0, B = 1 << 1, C = 1 << 2, ALL = A | B | C };
enum { BIG = 0x7fffffff, CH = 'c', EXPR = sizeof(int) * 2 + 1 };
typedef enum { NO, YES } answer;

static const char *name(enum state s)
{
    switch (s) {
    case IDLE: return "idle";
    case RUN: return "run";
    case STOP: return "stop";
    case FAIL: return "fail";
    case LAST: return "last";
    }
    return "?";
}

int main(void)
{
    enum state all[] = {IDLE, RUN, STOP, FAIL, LAST, 99};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        printf("%d %s\n", all[i], name(all[i]));
    unsigned set = ALL & ~B;
    printf("%u %d %d\n", set, (set & A) != 0, (set & B) != 0);
    printf("%d %d %d\n", BIG, CH, EXPR);
    answer a = 3 > 2;
    printf("%d\n", a == YES);
    enum { LOCAL = RUN + 5 } v = LOCAL;
    printf("%d\n", v);
    int table[ALL + 1] = {[B] = 2, [ALL] = 7};
    printf("%d %d %d\n", table[2], table[7], (int)(sizeof table / sizeof *table));
    return 0;
}
