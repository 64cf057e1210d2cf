// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "config/section.h"

namespace flitcast {

/// How long are the packets? One length, or several, each with its share of the packets.
class PacketLengths {
 public:
  /// @param lengths  At least one, each 1 to kMaxPacketLength flits.
  /// @param weights  As many, not negative and not all zero: shares of the packets, in any scale.
  /// Anything else throws std::invalid_argument.
  PacketLengths(std::vector<std::uint32_t> lengths, const std::vector<double>& weights);

  /// In flits.
  double mean() const { return mean_; }

  std::uint32_t draw(Random& random) const;

 private:
  std::vector<std::uint32_t> lengths_;
  std::vector<double> bounds_;  ///< Sums of the weights up to and including each length.
  double mean_ = 0;
};

/// Reads `packet_length` and `packet_weights` (none: all equal); throws ConfigError.
PacketLengths make_packet_lengths(const Section& workload);

}  // namespace flitcast
