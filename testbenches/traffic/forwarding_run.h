// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collective/cost.h"
#include "collective/forwarding/forwarding.h"
#include "network/fabric/fabric.h"
#include "network/sources.h"
#include "support/test_catch.h"
#include "traffic/collective_player.h"
#include "traffic/router_player.h"

namespace flitcast {

/// The kinds of routers that can copy packets.
enum class Kind { kAsynchronous, kSynchronous, kCutThrough, kStored };
inline constexpr std::array kKinds{Kind::kAsynchronous, Kind::kSynchronous, Kind::kCutThrough,
                                   Kind::kStored};

/// Routers with the buffers that the operations need: two stored packets, or twice the packet and
/// at least the 8 flits that cover the credit loops of these tests.
inline NetworkParams params_of(Kind kind, std::uint32_t length) {
  NetworkParams params;
  params.full_hierarchy = false;
  params.router.virtual_channels = 1;
  params.router.buffer_depth = kind == Kind::kStored ? 2 : 2 * length + 8;
  params.router.synchronous_copies = kind == Kind::kSynchronous;
  params.router.whole_packet_credit = kind == Kind::kCutThrough;
  if (kind == Kind::kStored) params.cores = &packet_cores();
  return params;
}

/// The same with start-up, long links and channels between routers that take several cycles per
/// flit. Where a head waits for its route or its VC, the flits behind it would catch up in the last
/// router, because the channel to the node is not slow; so these pipelines have no such wait.
inline NetworkParams with_slow_channels(NetworkParams params, std::uint32_t cycles_per_flit) {
  params.router.pipeline = {0, 0, 1, 2};
  params.startup = 11;
  params.cycles_per_flit = cycles_per_flit;
  params.link_latency = 4;
  return params;
}

/// The cost model's time for a node at that distance; the start-up includes the network's
/// interfaces.
inline std::uint64_t analytic_cycles(const NetworkParams& params, std::uint32_t length,
                                     std::size_t channels) {
  const auto interfaces = static_cast<std::uint64_t>(interface_cycles(params));
  const CostModel cost{params.startup + interfaces, hop_cycles(params), params.cycles_per_flit,
                       length};
  const Switching switching =
      params.cores == &packet_cores() ? Switching::kStoreAndForward : Switching::kWormhole;
  return message_cycles(cost, switching, channels);
}

/// One operation on a separate network. Several fit in one kernel if all are built before the first
/// runs.
class ForwardingRun {
  ForwardingPlayer source_;
  Recorder recorder_;
  RouterForwarding forwarding_;
  Fabric fabric_;

 public:
  ForwardingRun(const Topology& topology, RouterForwarding forwarding, const Demand& demand,
                const NetworkParams& params, std::uint32_t length)
      : source_(forwarding.injections, demand, length, 5),
        forwarding_(std::move(forwarding)),
        fabric_(sc_core::sc_gen_unique_name("fabric"), topology, *forwarding_.routing, source_,
                params, {&recorder_}) {}

  /// Runs to the end of the operation and some cycles beyond, in which nothing may arrive.
  void run() {
    while (!source_.finished() && index(fabric_.now()) < 50000) fabric_.run(50);
    fabric_.run(50);
    REQUIRE(source_.finished());
    CHECK(source_.wrong() == 0);
  }

  std::uint64_t cycles() const { return source_.cycles(); }
  std::size_t depth() const { return forwarding_.depth(); }
  const std::vector<Delivery>& deliveries() const { return recorder_.deliveries; }
  std::vector<std::uint64_t> channel_flits() const {
    std::vector<std::uint64_t> flits;
    for (std::size_t c = 0; c < fabric_.topology().channels().size(); ++c) {
      flits.push_back(fabric_.flits_from(fabric_.topology().channels()[c].from));
    }
    return flits;
  }
};

}  // namespace flitcast
