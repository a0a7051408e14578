/* A variable of the environment may be missing. */
#include <stdlib.h>
#include <string.h>
int main(void) {
    return (int)strlen(getenv("NO_SUCH_VARIABLE_IN_TESTS")) > 3; //~ ERROR null-deref
}
