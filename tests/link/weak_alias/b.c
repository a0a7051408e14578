#include <stdio.h>
int more(void) { return 20; }
int dflt(void);
int main(void) { printf("%d %d\n", more(), dflt()); return 0; }
