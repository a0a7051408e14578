//~ SAFE
/* What descriptors are copied to, and how far an attribute reaches, is checked before it is used. */
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    int seen[16] = {0};
    int copy = dup2(1, 5);
    if (copy >= 0 && copy < 16)
        seen[copy] = 1;
    char text[8];
    ssize_t n = recv(0, text, sizeof text, 0);
    if (n > 0)
        seen[n] = 1;
    return seen[0];
}
