/* The caller passes a number. */
int at(int);

int main(void)
{
    return at(1);
}
