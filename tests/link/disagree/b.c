#include <stdlib.h>
#include <string.h>
char *name = "text";
int length(char *text) { return (int)strlen(text); }
long answer(const int a, int b) { return a + b; }
int f(void);
int main(void) { return f(); }
