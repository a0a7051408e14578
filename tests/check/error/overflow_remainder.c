/* The least number has no remainder by -1. */
int main(void)
{
    int least = -2147483647 - 1;
    int by = -1;
    return least % by; //~ ERROR overflow
}
