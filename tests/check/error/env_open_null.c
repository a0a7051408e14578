/* No name at all. */
#include <fcntl.h>
#include <stdlib.h>
int main(void) {
    char *name = 0;
    return open(name, O_RDONLY) > 100; //~ ERROR null-deref
}
