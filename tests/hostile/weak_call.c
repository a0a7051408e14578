/* A function that is weak and not defined is null. */
__attribute__((weak)) int helper(int);

int main(void)
{
    return helper(2);
}
