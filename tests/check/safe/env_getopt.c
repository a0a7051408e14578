//~ SAFE
/* Options with arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char *out = 0;
    int c, verbose = 0;
    while ((c = getopt(argc, argv, "o:v")) != -1) {
        switch (c) {
        case 'o':
            free(out);
            out = strdup(optarg);
            break;
        case 'v':
            verbose = 1;
            break;
        default:
            free(out);
            return 2;
        }
    }
    for (int i = optind; i < argc; i++)
        puts(argv[i]);
    if (out)
        puts(out);
    free(out);
    return verbose;
}
