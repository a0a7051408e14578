/* The element behind the last argument is null. */
#include <string.h>
int main(int argc, char **argv) {
    return (int)strlen(argv[argc]); //~ ERROR null-deref
}
