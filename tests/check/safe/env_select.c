//~ SAFE
/* Waiting for input. */
#include <sys/select.h>
#include <unistd.h>
int main(void) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    struct timeval tv = {0, 1};
    if (select(1, &set, 0, 0, &tv) > 0) {
        char c;
        if (read(0, &c, 1) == 1)
            return c != 0;
    }
    return sysconf(_SC_PAGESIZE) < 0;
}
