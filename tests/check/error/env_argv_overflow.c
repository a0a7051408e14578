/* An argument may be longer than the buffer. */
// needs certain inputs
// not seen by sanitizers: needs an argument
#include <string.h>
int main(int argc, char **argv) {
    char name[16];
    if (argc < 2)
        return 0;
    strcpy(name, argv[1]); //~ ERROR out-of-bounds
    return name[0] != 0;
}
