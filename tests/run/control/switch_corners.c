#include <stdio.h>

static int default_first(int n)
{
    switch (n) {
    default: n += 100;
    case 1: n += 10; break;
    case 2: n += 1;
    }
    return n;
}
static int without_match(int n)
{
    switch (n) { case 5: return 1; }
    switch (n) ;
    switch (n) case 6: return 2;
    return 0;
}
static int long_switch(long long v)
{
    switch (v) {
    case 0x100000000LL: return 1;
    case -1: return 2;
    case 0: return 3;
    }
    return 4;
}
static int char_switch(unsigned char c)
{
    switch (c) {
    case 255: return 1;
    case 'a': return 2;
    default: return 3;
    }
}
static int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        default: break;
        }
        return 10;
    case 2:
        while (b-- > 0) {
            if (b == 3) continue;
            if (b == 1) break;
            a += b;
        }
        break;
    case 3:
        for (;;) {
            switch (b++) {
            case 4: goto out;
            default: continue;
            }
        }
    }
out:
    return a * 100 + b;
}
static int bool_switch(int x)
{
    switch (x > 3) { case 0: return -1; case 1: return 1; }
    return 0;
}

int main(void)
{
    printf("%d %d %d\n", default_first(1), default_first(2), default_first(3));
    printf("%d %d %d\n", without_match(5), without_match(6), without_match(7));
    printf("%d %d %d %d\n", long_switch(1LL << 32), long_switch(-1), long_switch(0), long_switch(1));
    printf("%d %d %d\n", char_switch(-1), char_switch('a'), char_switch(0));
    printf("%d %d %d %d %d\n", nested(1, 1), nested(1, 2), nested(2, 6), nested(3, 0), nested(4, 5));
    printf("%d %d\n", bool_switch(1), bool_switch(5));
    return 0;
}
