/* The last character of an empty line. */
// needs certain inputs
// not seen by sanitizers: needs input
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[8];
    char *copy;
    if (!fgets(line, sizeof line, stdin))
        return 0;
    copy = line[0] == 'q' ? 0 : line;
    return *copy == 'x'; //~ ERROR null-deref
}
