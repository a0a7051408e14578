/* Functions that run before and after main, by priority, around what atexit registers. */
#include <stdio.h>
#include <stdlib.h>

static int steps;

__attribute__((constructor)) static void last_start(void) { printf("start %d\n", ++steps); }
__attribute__((constructor(101))) static void first_start(void) { printf("first %d\n", ++steps); }
__attribute__((destructor)) static void early_end(void) { printf("end %d\n", ++steps); }
__attribute__((destructor(101))) static void late_end(void) { printf("last %d\n", ++steps); }
static void handler(void) { printf("handler %d\n", ++steps); }

int main(void)
{
    atexit(handler);
    printf("main %d\n", ++steps);
    if (steps == 3)
        exit(7);
    return 0;
}
