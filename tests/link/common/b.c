#include <stdio.h>
int shared; char buffer[16]; int late = 5;
int get(void);
int main(void) { shared = 7; buffer[12] = 'x'; printf("%d %c\n", get(), buffer[12]); return 0; }
