// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace flitcast {

/// FNV-1a, 64 bits: a running hash of numbers, each hashed as eight bytes, lowest first.
class Fnv1a {
 public:
  void add(std::uint64_t value) {
    for (int byte = 0; byte < 8; ++byte) {
      hash_ = (hash_ ^ (value >> (8 * byte) & 0xff)) * 0x100000001b3;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

/// Compares the outputs of a SystemC module with those of its RTL, cycle by cycle.
///
///   every cycle: compare() each output of both, then next_cycle()
///   in the end:  first_difference() is empty and both hashes are equal
///
/// The caller drives inputs and samples outputs at the falling edge of the clock, when both sides
/// have settled. An output wider than 64 bits is compared in parts.
class Lockstep {
 public:
  struct Difference {
    std::uint64_t cycle = 0;
    std::string port;
    std::uint64_t model = 0;
    std::uint64_t rtl = 0;

    friend std::ostream& operator<<(std::ostream& out, const Difference& d) {
      return out << "cycle " << d.cycle << ", " << d.port << ": model 0x" << std::hex << d.model
                 << ", RTL 0x" << d.rtl << std::dec;
    }
  };

  /// @param port   Name of the port; @param index  its place in a vector of ports.
  void compare(std::string_view port, std::uint32_t index, std::uint64_t model, std::uint64_t rtl) {
    model_.add(model);
    rtl_.add(rtl);
    if (model == rtl || first_) return;
    first_ = Difference{cycle_, std::string(port) + '[' + std::to_string(index) + ']', model, rtl};
  }
  void next_cycle() { ++cycle_; }

  std::uint64_t cycles() const { return cycle_; }
  std::uint64_t model_hash() const { return model_.value(); }
  std::uint64_t rtl_hash() const { return rtl_.value(); }
  const std::optional<Difference>& first_difference() const { return first_; }

 private:
  std::uint64_t cycle_ = 0;
  Fnv1a model_;
  Fnv1a rtl_;
  std::optional<Difference> first_;
};

}  // namespace flitcast
