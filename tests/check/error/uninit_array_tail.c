/* The last cell is not filled. */
int main(void)
{
    int v[5], n = 0;
    for (int i = 0; i < 4; i++)
        v[i] = i;
    for (int i = 0; i < 5; i++)
        if (v[i] > 2) //~ ERROR uninitialised
            n++;
    return n > 5;
}
