#include <stdio.h>
struct s { char c; long b; }; static struct s v = {'q', 2}; static int f(void) { return (int)v.b; }
int fa(void); const char *unused(void);
int main(void) { printf("%d %d\n", f(), fa()); return 0; }
