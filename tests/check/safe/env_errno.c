//~ SAFE
/* errno is an object like others. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *end;
    errno = 0;
    long v = strtol(argv[argc - 1], &end, 10);
    if (errno || *end) {
        fprintf(stderr, "%s\n", strerror(errno));
        return 1;
    }
    printf("%ld\n", v);
    return 0;
}
