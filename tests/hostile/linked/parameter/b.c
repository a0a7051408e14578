int part(int of)
{
    return 100 / of;
}
