/* What is called is an object. */
int table(int);

int main(void)
{
    return table(1);
}
