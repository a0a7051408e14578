/* The limit of `strncat` does not count the end of the text. */
#include <string.h>

int main(void)
{
    char text[6] = "abc";
    strncat(text, "defg", 3); //~ ERROR out-of-bounds
    return text[0];
}
