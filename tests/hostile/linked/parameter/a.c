/* The caller passes a character. */
int part(char);

int main(void)
{
    return part(0);
}
