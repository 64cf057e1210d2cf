// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/random.h"
#include "config/param.h"
#include "config/section.h"
#include "traffic/injection.h"

namespace flitcast {

/// Distribution of packet lengths: one length, or several, each with its share of the packets.
class PacketLengths {
 public:
  /// @param lengths  At least one, each 1 to kMaxPacketLength flits.
  /// @param weights  As many, not negative and not all zero: shares of the packets, in any scale.
  /// Anything else throws std::invalid_argument.
  PacketLengths(std::vector<std::uint32_t> lengths, const std::vector<double>& weights);

  /// The mean length in flits.
  double mean() const { return mean_; }

  std::uint32_t draw(Random& random) const;

 private:
  std::vector<std::uint32_t> lengths_;
  std::vector<double> bounds_;  ///< Sums of the weights up to and including each length.
  double mean_ = 0;
};

/// Reads `packet_length` and `packet_weights` (default: equal); throws ConfigError.
PacketLengths make_packet_lengths(const Section& workload);

/// Injection times and packet lengths: the common part of all random workloads.
struct Load {
  std::unique_ptr<Injection> injection;
  PacketLengths lengths;
};

/// Reads load, injection, packet_length and packet_weights. `also` makes the rest of the workload;
/// the problems of both are thrown as one ConfigError.
Load make_load(const Section& workload, const std::function<void()>& also);

/// The keys that make_load() reads.
std::vector<Param> load_params();

}  // namespace flitcast
