//~ SAFE
/* What is left of the arguments after the options, two at a time. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int c, verbose = 0;
    while ((c = getopt(argc, argv, "v")) != -1)
        if (c == 'v')
            verbose = 1;
        else
            return 2;
    for (int i = optind; i + 1 < argc; i += 2) {
        if (strlen(argv[i]) > strlen(argv[i + 1]) && verbose)
            puts(argv[i]);
    }
    return 0;
}
