// SPDX-License-Identifier: Apache-2.0
// The program flitcast with one entry more in each catalog: all of its commands and checks, and
// YAML may name the new entries.
#include <flitcast/program.h>

#include "extension.h"

int main(int argc, char* argv[]) {
  extend_catalogs();
  return flitcast::run_program(argc, argv);
}
