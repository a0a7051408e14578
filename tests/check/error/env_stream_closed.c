/* A file that was closed is read. */
// not seen by sanitizers: the stream is kept by the library
#include <stdio.h>
int main(void) {
    FILE *f = fopen("/dev/null", "r");
    if (!f)
        return 0;
    fclose(f);
    return fgetc(f) > 0; //~ ERROR use-after-free
}
