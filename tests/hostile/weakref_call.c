/* The name stands for one that is not defined. */
static int helper(int) __attribute__((weakref("not_defined")));

int main(void)
{
    return helper(2);
}
