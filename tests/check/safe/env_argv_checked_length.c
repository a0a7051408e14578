//~ SAFE
/* Only arguments that fit are copied. */
#include <string.h>
int main(int argc, char **argv) {
    char name[32] = "";
    if (argc > 1 && strlen(argv[1]) < sizeof name)
        strcpy(name, argv[1]);
    return name[0];
}
