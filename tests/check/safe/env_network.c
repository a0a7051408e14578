//~ SAFE
/* The order of bytes of the network, and addresses as texts. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons(80);
    if (inet_pton(AF_INET, "127.0.0.1", &a.sin_addr) != 1)
        return 1;
    char text[16];
    if (inet_ntop(AF_INET, &a.sin_addr, text, sizeof text))
        printf("%s %d\n", text, ntohs(a.sin_port));
    return 0;
}
