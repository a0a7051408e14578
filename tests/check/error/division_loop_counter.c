/* The counter runs down to zero inclusive. */
int main(void)
{
    int sum = 0;
    for (int i = 5; i >= 0; i--)
        sum += 60 / i; //~ ERROR division-by-zero
    return sum > 1000;
}
