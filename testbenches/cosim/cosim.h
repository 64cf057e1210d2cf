// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <sstream>
#include <string>

#include "cosim/cosim_cycles.h"
#include "cosim/lockstep.h"
#include "cosim/trace_window.h"
#include "support/fresh_kernel.h"
#include "support/test_catch.h"

namespace flitcast {

// Lock-step of a model and its RTL. A test brings a bench and a function that makes one:
//
//   class Bench {
//     void drive();             the cycle's inputs to both sides, which settle
//     void compare(Lockstep&);  all outputs of both sides
//     void edge();              the rising edge of the clock, on both sides
//     VerilatedBench<Top>& rtl();
//   };
//   check_cosim("rr_arbiter_5", cosim_cycles(), [] { return Bench(5); });
//
// A new bench has both sides out of reset. All benches of one maker behave identically: their
// inputs come from a generator with a fixed seed and from the model, never from the RTL. Top is
// Verilated as COSIM.

template <class Bench>
void step_cosim(Bench& bench, Lockstep& lockstep) {
  bench.drive();
  bench.compare(lockstep);
  bench.edge();
  lockstep.next_cycle();
}

/// Repeats the same cycles and writes the signals of the RTL around cycle `centre` to a file in the
/// current folder; returns the file's name. `name` is the name of the lock-step pair.
template <class MakeBench>
std::string trace_cosim(const std::string& name, std::uint64_t centre, const MakeBench& make) {
  testing::install_fresh_kernel();
  auto bench = make();
  bench.rtl()->contextp()->assertOn(false);  // Assertions may fail after the difference.
  TraceWindow trace(bench.rtl(), name + "_cycle_" + std::to_string(centre) + ".fst", centre);
  Lockstep lockstep;
  while (lockstep.cycles() <= trace.last_cycle()) step_cosim(bench, lockstep);
  return trace.file();
}

/// Fails at the first difference, or failed RTL assertion, within `cycles` cycles; the message
/// names it and the file with its trace.
template <class MakeBench>
void check_cosim(const std::string& name, std::uint64_t cycles, const MakeBench& make) {
  testing::install_fresh_kernel();
  auto bench = make();
  bench.rtl()->contextp()->fatalOnError(false);  // A failed assertion would abort otherwise.
  Lockstep lockstep;
  const auto& difference = lockstep.first_difference();
  while (!difference && !bench.rtl()->contextp()->gotError()) {
    if (lockstep.cycles() == cycles) {
      SUCCEED(name << ": equal for " << cycles << " cycles");
      return;
    }
    step_cosim(bench, lockstep);
  }
  const std::uint64_t cycle = lockstep.cycles() - 1;
  std::ostringstream what;
  if (difference) {
    what << "first difference in " << *difference;
  } else {
    what << "an assertion of the RTL failed in cycle " << cycle;
  }
  FAIL(name << ": " << what.str() << "; signals around it in " << trace_cosim(name, cycle, make));
}

}  // namespace flitcast
