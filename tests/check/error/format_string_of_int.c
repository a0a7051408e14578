/* The format asks for a string and gets a number. */
extern int printf(const char *, ...);

int main(void)
{
    int x = 16;
    printf("%s\n", x); //~ ERROR null-deref
    return 0;
}
