/* The caller takes the function to return nothing. */
void keep(long);

int main(void)
{
    keep(1);
    return 0;
}
