//~ SAFE
/* A variable of the environment may be missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *home = getenv("HOME");
    if (!home)
        home = "/";
    size_t room = strlen(home) + 5;
    char *path = malloc(room);
    snprintf(path, room, "%s/.rc", home);
    puts(path);
    free(path);
    return 0;
}
