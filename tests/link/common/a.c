int shared; char buffer[4]; int late;
int get(void) { return shared + late; }
