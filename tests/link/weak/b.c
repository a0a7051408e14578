#include <stdio.h>
__attribute__((weak)) int pick(void) { return 1; }
__attribute__((weak)) int table[2] = {1, 2};
__attribute__((weak)) int only = 9;
extern int absent __attribute__((weak));
int maybe(void) __attribute__((weak));
int main(void) { printf("%d %d %d %d %d\n", pick(), table[0], only, &absent == 0, maybe == 0); return 0; }
