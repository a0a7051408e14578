/* The room is smaller than what is said. */
// not seen by sanitizers: the room is not written past
#include <unistd.h>
int main(void) {
    char host[4];
    if (gethostname(host, 64)) //~ ERROR out-of-bounds
        return 0;
    return host[0] == 'x';
}
