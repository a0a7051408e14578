#include <stdio.h>
int early(int) __attribute__((alias("real")));
static int real(int x) { return x + 1; }
int value = 3;
extern int other __attribute__((alias("value")));
int more(void);
void bump(void);
int main(void) { bump(); printf("%d %d %d\n", early(1), other, more()); return 0; }
