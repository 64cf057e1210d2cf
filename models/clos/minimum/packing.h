// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "clos/minimum/configuration.h"

namespace flitcast::clos {

/// Keeps configurations in as few bits as is simple: for each port of each output switch the number
/// 1 + (input, middle switch) of its link, or 0 if it is idle. v(6, 3, 3) takes 54 bits.
class Packing {
 public:
  explicit Packing(const Structure& structure);

  /// Words of 64 bits that a configuration takes.
  std::size_t words() const { return words_; }
  /// Fills words() words; equal configurations get equal words, others others.
  void pack(const Configuration& routes, std::uint64_t* words) const;
  Configuration unpack(const std::uint64_t* words) const;

 private:
  Structure structure_;
  std::uint32_t bits_;  ///< Of a port.
  std::size_t words_;
};

}  // namespace flitcast::clos
