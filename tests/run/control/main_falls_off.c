#include <stdio.h>

/* Reaching the end of main is success. */
static void run(int n)
{
    if (n > 3)
        return;
    printf("%d\n", n);
    run(n + 1);
}

int main(void)
{
    run(1);
    puts("end");
}
