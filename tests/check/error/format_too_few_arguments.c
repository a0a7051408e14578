/* The format asks for one argument more than there is. */
// not seen by sanitizers: arguments that are not there are read from registers
extern int printf(const char *, ...);

int main(void)
{
    int x = 1;
    printf("%d %d\n", x); //~ ERROR bad-argument
    return 0;
}
