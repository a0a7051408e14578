/* What is behind the end of a number that is a whole text. */
#include <stdlib.h>
int main(void) {
    char text[2];
    text[0] = '7';
    text[1] = 0;
    char *end;
    strtol(text, &end, 10);
    return end[1]; //~ ERROR out-of-bounds
}
