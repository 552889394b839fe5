#include "cli/program.h"

int main(int argc, char** argv) { return onnxc::cli::Main(argc, argv); }
