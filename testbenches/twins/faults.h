// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "twins/registers.h"
#include "twins/twin_cycles.h"
#include "twins/twins.h"

namespace flitcast {

enum class Fault { kStuckAt0, kStuckAt1, kFlipping };

inline constexpr std::array<Fault, 3> kFaults{Fault::kStuckAt0, Fault::kStuckAt1, Fault::kFlipping};

inline std::string text(Fault fault) {
  static const std::array<std::string, 3> kTexts{" stuck at 0", " stuck at 1", " flipping"};
  return kTexts[static_cast<std::size_t>(fault)];
}

/// Whether lock-step finds the fault in register bit `place` of the RTL within `cycles` cycles. The
/// bit is held after every edge, or turned over after one edge of 16.
template <class Bench>
bool fault_is_found(Bench& bench, std::size_t place, Fault fault, std::uint64_t cycles) {
  bench.rtl()->contextp()->assertOn(false);  // The outputs are to show it.
  auto bits = register_bits(*bench.rtl()->contextp());
  RegisterBit& bit = bits.at(place);
  std::mt19937 random(static_cast<std::uint32_t>(place));
  Lockstep lockstep;
  while (!lockstep.first_difference() && lockstep.cycles() < cycles) {
    if (fault != Fault::kFlipping) {
      bit.set(fault == Fault::kStuckAt1);
    } else if (random() % 16 == 0) {
      bit.set(!bit.value());
    }
    step_twins(bench, lockstep);
  }
  return lockstep.first_difference().has_value();
}

/// One of so many register bits gets faults: `by_default`, unless FLITCAST_FAULT_STRIDE in the
/// environment says how many; 1 is meant for a thorough run of a test program by hand, outside of
/// ctest's time limit.
inline std::size_t fault_stride(std::size_t by_default) {
  return static_cast<std::size_t>(positive_of("FLITCAST_FAULT_STRIDE", by_default));
}

/// Seeds every fault in turn, in each `stride`th register bit, in a new bench each; returns those
/// that the lock-step did not find, such as "later_q[0] stuck at 0".
template <class MakeBench>
std::vector<std::string> faults_not_found(const MakeBench& make, std::size_t stride = 1,
                                          std::uint64_t cycles = 10'000) {
  stride = fault_stride(stride);
  std::vector<std::string> names;
  {
    testing::install_fresh_kernel();
    auto bench = make();
    for (const auto& bit : register_bits(*bench.rtl()->contextp())) names.push_back(bit.name());
  }
  REQUIRE(!names.empty());
  std::vector<std::string> missed;
  for (std::size_t place = 0; place < names.size(); place += stride) {
    for (const Fault fault : kFaults) {
      testing::install_fresh_kernel();
      auto bench = make();
      if (!fault_is_found(bench, place, fault, cycles))
        missed.push_back(names[place] + text(fault));
    }
  }
  SUCCEED("faults in " << (names.size() + stride - 1) / stride << " register bits of "
                       << names.size() << ": " << missed.size() << " not found");
  return missed;
}

/// Without the faults in which one of the rules, regular expressions, is found: nobody can see
/// those. A rule for none of them is in the result, too: it is out of date.
inline std::vector<std::string> unexplained(std::vector<std::string> missed,
                                            const std::vector<std::string>& rules) {
  for (const std::string& rule : rules) {
    const auto explained = [pattern = std::regex(rule)](const std::string& fault) {
      return std::regex_search(fault, pattern);
    };
    const auto end = std::remove_if(missed.begin(), missed.end(), explained);
    if (end == missed.end()) {
      missed.push_back("no miss for the rule " + rule);
    } else {
      missed.erase(end, missed.end());
    }
  }
  return missed;
}

}  // namespace flitcast
