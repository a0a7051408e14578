/* Arguments are no heap blocks. */
#include <stdlib.h>
int main(int argc, char **argv) {
    free(argv[argc - 1]); //~ ERROR invalid-free
    return 0;
}
