/* The letters of an argument lead to an error. */
// needs certain inputs
// not seen by sanitizers: needs an argument
#include <stdlib.h>
int main(int argc, char **argv) {
    int *p = 0;
    if (argc == 2 && argv[1][0] == 'h' && argv[1][1] == 'w')
        *p = 1; //~ ERROR null-deref
    return 0;
}
