// SPDX-License-Identifier: Apache-2.0
// flitcast with one more of each concept: all commands, all checks, and YAML may name the
// newcomers.
#include <flitcast/program.h>

#include "extension.h"

int main(int argc, char* argv[]) {
  extend_catalogs();
  return flitcast::run_program(argc, argv);
}
