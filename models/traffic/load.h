// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "config/param.h"
#include "config/section.h"
#include "traffic/injection.h"
#include "traffic/weighted_choice.h"

namespace flitcast {

/// Packets per node and cycle, by their length in flits or by the cycles that they hold a channel.
using PacketRates = std::map<std::uint32_t, double>;

/// Adds the rates of other packets on the same network.
void add(PacketRates& rates, const PacketRates& others);
/// The mean length of the packet that a flit belongs to: the sum of squared lengths over that of
/// lengths. 0 without packets.
double mean_length_of_flits(const PacketRates& rates);
/// The mean time from one packet of a rare length to the next at one node, in cycles, for the
/// rarest length, or all lengths from one on together, that decide waits: less than 10 % of the
/// packets, but at least 5 % of the sum of squared lengths, to which the waits for a channel are
/// proportional. 0 without such lengths.
double rarest_period(const PacketRates& rates);

/// Distribution of packet lengths: one length, or several, each with its share of the packets.
class PacketLengths {
 public:
  /// @param lengths  At least one, each 1 to kMaxPacketLength flits.
  /// @param weights  One per length, not negative, not all zero: packet shares in any scale.
  /// Anything else throws std::invalid_argument.
  PacketLengths(std::vector<std::uint32_t> lengths, const std::vector<double>& weights);

  /// The mean length in flits.
  double mean() const { return mean_; }
  /// The rates of packets at a load in flits per node and cycle.
  PacketRates rates(double load) const;

  std::uint32_t draw(Random& random) const { return lengths_[choice_.draw(random)]; }

 private:
  std::vector<std::uint32_t> lengths_;
  WeightedChoice choice_;
  double mean_ = 0;
};

/// Reads `packet_length` and `packet_weights` (default: equal); throws ConfigError.
PacketLengths make_packet_lengths(const Section& workload);

/// Injection times and packet lengths: the common part of all random workloads.
struct Load {
  /// By node: the injection process. A single process is that of all nodes.
  std::vector<std::shared_ptr<const Injection>> injections;
  PacketLengths lengths;
  /// By node, or a single rate of all nodes, as `injections`: flits per cycle.
  std::vector<double> rates{};

  const Injection& injection(NodeId node) const {
    return *injections[injections.size() == 1 ? 0 : index(node)];
  }
  /// The mean of all nodes.
  PacketRates packet_rates() const { return lengths.rates(mean_rate()); }
  double rate(NodeId node) const { return rates[rates.size() == 1 ? 0 : index(node)]; }
  /// The mean rate of the nodes, in flits per node and cycle.
  double mean_rate() const;
};

/// Reads load, injection, packet_length and packet_weights. `also` makes the rest of the workload
/// and returns the rates of the nodes that the pattern gives, in flits per cycle; unless the key
/// `load` is 0, they are scaled to a mean of `load`. If `also` returns no rates, `load` is the rate
/// of all nodes, or a list of rates. The problems of all are thrown as one ConfigError.
Load make_load(const Section& workload, std::size_t nodes,
               const std::function<std::vector<double>()>& also);

/// The keys that make_load() reads, for workloads whose nodes have no other rates.
std::vector<Param> load_params();
/// The keys that make_packet_lengths() reads.
std::vector<Param> packet_length_params();

}  // namespace flitcast
