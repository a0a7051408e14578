/* A variable of the environment is the same both times, and may be longer than the buffer. */
#include <stdlib.h>
#include <string.h>
int main(void) {
    char home[8];
    if (getenv("HOME"))
        strcpy(home, getenv("HOME")); //~ ERROR out-of-bounds
    return 0;
}
