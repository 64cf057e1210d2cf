// SPDX-License-Identifier: Apache-2.0
// Takes the place of libsystemc's main, which writes a copyright banner before it calls sc_main.
#include <cstdlib>
#include <systemc>

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
