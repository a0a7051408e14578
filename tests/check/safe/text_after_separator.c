//~ SAFE
/* What comes after a separator in a text is in the text. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 1)
        return 1;
    char *name = strrchr(argv[0], '/');
    if (name)
        name++;
    else
        name = argv[0];
    if (strcmp(name, "zcat") == 0)
        return 2;
    char line[100];
    if (!fgets(line, sizeof line, stdin))
        return 3;
    char *value = strchr(line, '=');
    if (!value)
        return 4;
    *value++ = 0;
    printf("%s is %s\n", line, value);
    char *dots = strstr(argv[0], "..");
    return dots && dots[1] == '.';
}
