//~ SAFE
/* exit runs what was registered, wherever it is called. */
#include <stdlib.h>
static char *buffer;
static void done(void) { free(buffer); buffer = 0; }
static void fail(void) { exit(1); }
int main(int argc, char **argv) {
    buffer = malloc(16);
    atexit(done);
    if (argc > 3)
        fail();
    buffer[0] = argv[0][0];
    return 0;
}
