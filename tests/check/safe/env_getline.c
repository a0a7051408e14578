//~ SAFE
/* Lines of any length, in one block that grows. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *line = 0;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, stdin)) != -1) {
        if (line[n - 1] == '\n')
            line[n - 1] = 0;
        puts(line);
    }
    free(line);
    return 0;
}
