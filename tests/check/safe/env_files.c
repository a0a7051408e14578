//~ SAFE
/* stat, open, read and close. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct stat st;
    char bytes[64];
    for (int i = 1; i < argc; i++) {
        if (stat(argv[i], &st) != 0)
            continue;
        int fd = open(argv[i], O_RDONLY);
        if (fd < 0)
            continue;
        ssize_t n = read(fd, bytes, sizeof bytes);
        if (n > 0)
            printf("%lld %d\n", (long long)st.st_size, bytes[0]);
        close(fd);
    }
    return 0;
}
