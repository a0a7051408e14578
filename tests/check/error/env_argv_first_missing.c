/* The first argument may be missing. */
#include <string.h>
int main(int argc, char **argv) {
    return argc < 3 && argv[1][0] == 'x'; //~ ERROR null-deref
}
