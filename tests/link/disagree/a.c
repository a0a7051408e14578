#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
extern const char *name;
int length(const char *);
long answer(int, int);
int f(void) { return name != 0 && length(name) == 4 && answer(40, 2) == 42; }
