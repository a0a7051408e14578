int at(int *p)
{
    return *p;
}
