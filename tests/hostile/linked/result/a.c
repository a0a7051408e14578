/* The caller takes the function to return nothing. */
void part(int);

int main(void)
{
    part(0);
    return 0;
}
