#include <regiht/regiht.hpp>

int main() { return 0; }
