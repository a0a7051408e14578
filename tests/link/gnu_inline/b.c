#include <stdio.h>
int f(void) { return 2; }
int fa(void);
int main(void) { printf("%d %d\n", f(), fa()); return 0; }
