// SPDX-License-Identifier: Apache-2.0
// Networks that may deadlock, under random traffic: packets that find_deadlock() reports never move
// again, and whenever undelivered packets cannot move, it reports a deadlock.
#include <optional>
#include <utility>

#include "network/broadcasts.h"
#include "network/check/deadlock_search.h"
#include "network/check/inspection.h"
#include "network/fabric_run.h"
#include "router/store_forward_state.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

enum class Kind { kWormhole, kCutThrough, kStored, kAsynchronous, kSynchronous };

constexpr std::uint32_t kRing = 5;

/// A packet goes round a ring to its destination and leaves a copy at every node on its path.
class RingCasts : public Routing {
 public:
  explicit RingCasts(unsigned virtual_channels) : vcs_(vc_range(0, virtual_channels)) {}
  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override {
    const PortId local = Grid::plus(1);
    if (index(request.router) != index(request.destination)) {
      branches.add({Grid::plus(0), vcs_, 0});
    }
    if (request.input != local) branches.add({local, vcs_, 0});
  }
  Route route(const RouteRequest&) const override { return {}; }
  VcSet injection_vcs(NodeId, NodeId) const override { return vcs_; }

 private:
  VcSet vcs_;
};

/// Random packets of at most `longest` flits, with pauses.
class CastSource : public PacketSource {
 public:
  CastSource(unsigned longest, unsigned seed) : random_(Random::stream(seed, 9)) {
    for (std::uint32_t n = 0; n < kRing; ++n) {
      for (std::uint64_t cycle = 0; cycle < 600; cycle += 1 + random_.below(40)) {
        const auto hops = static_cast<std::uint32_t>(1 + random_.below(kRing - 1));
        const auto length = static_cast<std::uint32_t>(1 + random_.below(longest));
        PacketRequest request{NodeId{(n + hops) % kRing}, length};
        request.receivers = hops;
        script_.add(Cycle{cycle}, NodeId{n}, request);
        deliveries += hops;
      }
    }
  }
  Cycle first(NodeId node) override { return script_.first(node); }
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    return script_.create(node, now, packets);
  }

  std::size_t deliveries = 0;

 private:
  Random random_;
  ScriptSource script_{kRing};
};

// The slower the wires, the longer the network stays in states where only flits or credits on the
// wires still move.
NetworkParams params_of(Kind kind, unsigned setting, unsigned virtual_channels, unsigned depth) {
  NetworkParams params;
  params.link_latency = 1 + setting % 4;
  params.credit_latency = 1 + setting % 7;
  params.cycles_per_flit = 1 + setting % 3;
  params.router.virtual_channels = virtual_channels;
  params.router.buffer_depth = depth;
  if (kind == Kind::kStored) params.cores = &packet_cores();
  params.router.synchronous_copies = kind == Kind::kSynchronous;
  params.router.whole_packet_credit = kind == Kind::kCutThrough;
  params.full_hierarchy = false;
  return params;
}

/// One flit or packet in one buffer, as find_deadlock() names it.
using Occupant = std::optional<std::pair<PacketId, std::uint16_t>>;

Occupant queued(const Inspection& network, const BlockedVc& vc) {
  const auto& state = static_cast<const StoreForwardState&>(network.state(vc.router));
  Occupant found;
  state.for_each_queued([&](unsigned i, unsigned, VcSet, const Flit& head) {
    const PacketId packet = network.packet(head.packet).id;
    if (i == state.vc_index(index(vc.input), index(vc.vc)) && packet == vc.packet) {
      found = {packet, head.remaining};
    }
  });
  return found;
}

Occupant occupant(const Inspection& network, const BlockedVc& vc) {
  if (network.params().cores == &packet_cores()) return queued(network, vc);
  const RouterState& state = network.state(vc.router);
  const unsigned i = state.vc_index(index(vc.input), index(vc.vc));
  if (state.inputs[i].count == 0) return {};
  const Flit& front = state.front(i);
  return {{network.packet(front.packet).id, front.remaining}};
}

std::vector<Occupant> occupants(const Inspection& network, const std::vector<BlockedVc>& cycle) {
  std::vector<Occupant> found;
  for (const BlockedVc& vc : cycle) found.push_back(occupant(network, vc));
  return found;
}

/// Many runs of one kind of network.
class Trial {
 public:
  explicit Trial(Kind kind) : kind_(kind) {}

  void add(const RoutedNetwork& network, unsigned virtual_channels, unsigned depth,
           std::unique_ptr<PacketSource> source, std::size_t deliveries) {
    const auto setting = static_cast<unsigned>(runs_.size());
    const std::string name = "fabric_" + std::to_string(setting);
    runs_.push_back(std::make_unique<FabricRun>(name, network,
                                                params_of(kind_, setting, virtual_channels, depth),
                                                std::move(source), deliveries));
  }

  void check() {
    for (auto& run : runs_) check(*run);
    CAPTURE(deadlocks_, runs_.size());
    CHECK(deadlocks_ > 0);
    CHECK(deadlocks_ < runs_.size());
  }

 private:
  void check(FabricRun& run) {
    CAPTURE(run.fabric->name());
    const auto inspected = run.fabric->inspection();
    const Inspection& inspection = *inspected;
    const std::uint64_t end = index(run.fabric->now()) + 6000;
    while (!run.drained() && index(run.fabric->now()) < end) {
      run.fabric->run(1);
      const std::vector<BlockedVc> cycle = find_deadlock(inspection);
      if (cycle.empty()) continue;
      ++deadlocks_;
      const std::vector<Occupant> before = occupants(inspection, cycle);
      run.fabric->run(1000);
      CHECK_FALSE(run.drained());
      CHECK(occupants(inspection, cycle) == before);
      return;
    }
    CHECK(run.drained());
  }

  const Kind kind_;
  std::vector<std::unique_ptr<FabricRun>> runs_;
  std::size_t deadlocks_ = 0;
};

}  // namespace

TEST_CASE("single packets: what is found stays, and every stopped packet is found", "[network]") {
  const Kind kind = GENERATE(Kind::kWormhole, Kind::kCutThrough, Kind::kStored);
  Trial trial(kind);
  std::vector<RoutedNetwork> networks;
  for (unsigned setting = 0; setting < 24; ++setting) {
    const unsigned virtual_channels = 1 + setting % 4 / 3;
    const Grid grid = ring(kRing + setting % 5);
    networks.push_back(
        {std::make_unique<Grid>(grid),
         std::make_unique<DimensionOrder>(
             grid, DimensionOrder::Params{false, true, VcClasses::kNone, virtual_channels})});
    const unsigned longest = 1 + setting % 5;
    const FiniteTraffic::Params traffic{40, longest, 1 + setting * 2};
    trial.add(networks.back(), virtual_channels,
              kind == Kind::kStored ? 1 + setting / 2 % 3 : longest,
              std::make_unique<FiniteTraffic>(grid.node_count(), traffic),
              grid.node_count() * traffic.packets_per_node);
  }
  trial.check();
}

TEST_CASE("copies round a ring: what is found stays, and every stopped packet is found",
          "[network]") {
  const Kind kind =
      GENERATE(Kind::kAsynchronous, Kind::kSynchronous, Kind::kCutThrough, Kind::kStored);
  Trial trial(kind);
  std::vector<RoutedNetwork> networks;
  for (unsigned setting = 0; setting < 24; ++setting) {
    const unsigned virtual_channels = 1 + setting % 2;
    networks.push_back(
        {std::make_unique<Grid>(ring(kRing)), std::make_unique<RingCasts>(virtual_channels)});
    const unsigned longest = 1 + setting % 6;
    auto source = std::make_unique<CastSource>(longest, setting);
    const std::size_t deliveries = source->deliveries;
    const unsigned depth = kind == Kind::kCutThrough ? longest : 1 + setting % 4;
    trial.add(networks.back(), virtual_channels, depth, std::move(source), deliveries);
  }
  trial.check();
}

TEST_CASE("trees on shared VCs: what is found stays, and every stopped packet is found",
          "[network]") {
  const Kind kind = GENERATE(Kind::kAsynchronous, Kind::kSynchronous, Kind::kCutThrough);
  Trial trial(kind);
  const RoutedNetwork network = broadcast_network(3, 2);
  for (unsigned setting = 0; setting < 24; ++setting) {
    const Broadcasts::Params traffic{1 + setting / 2, 1 + setting % 6, 1 + setting * 8, 0};
    const unsigned depth = kind == Kind::kCutThrough ? traffic.longest : 1 + setting % 3;
    trial.add(network, 2, depth, std::make_unique<Broadcasts>(8, traffic),
              std::size_t{8} * 7 * traffic.packets_per_node);
  }
  trial.check();
}
