/* A name that is gone is looked up. */
// not seen by sanitizers: the system call is not instrumented
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int main(void) {
    struct stat st;
    char *name = strdup("/tmp");
    free(name);
    return stat(name, &st); //~ ERROR use-after-free
}
