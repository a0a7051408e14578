/* More is read than there is room for. */
// needs certain inputs
// not seen by sanitizers: needs input
#include <unistd.h>
int main(void) {
    char b[8];
    long n = read(0, b, 16); //~ ERROR out-of-bounds
    return n == 1 && b[0] == 'x';
}
