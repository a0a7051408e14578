#include <stdio.h>
inline int twice(int x) { return 2 * x; }
int thrice(int x);
inline int thrice(int x) { return 3 * x; }
int go(void);
int main(void) { printf("%d %d\n", twice(4), go()); return 0; }
