/* A line is used though none may have been read. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    fgets(line, sizeof line, stdin);
    return strlen(line) > 3; //~ ERROR uninitialised
}
