// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

int main(int argc, char* argv[]) { return flitcast::run_program(argc, argv); }
