// SPDX-License-Identifier: Apache-2.0
// Replaces libsystemc's main, which prints a copyright banner before it calls sc_main.
#include <cstdlib>
#include <systemc>

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
