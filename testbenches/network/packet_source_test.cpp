// SPDX-License-Identifier: Apache-2.0
#include "base/packet_source.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "network/fabric/fabric.h"
#include "network/networks.h"
#include "network/sources.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Event = std::tuple<std::uint64_t, std::uint32_t>;  // A cycle and a node.

/// Answers every delivery by a packet some cycles later, and counts the calls of create().
class EchoSource : public PacketSource {
 public:
  explicit EchoSource(std::size_t nodes) : nodes_(nodes) {
    for (std::size_t n = 0; n < nodes; n += 2) nodes_[n].wanted.insert(n * 3);
  }

  Cycle first(NodeId node) override { return next(nodes_[index(node)]); }

  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    Node& state = nodes_[index(node)];
    state.asked_in_vain += state.wanted.erase(index(now)) == 0 ? 1 : 0;
    ++state.asked;
    const auto nodes = static_cast<std::uint32_t>(nodes_.size());
    const auto step = static_cast<std::uint32_t>(index(now) * 7 + 1);
    packets.push_back({NodeId{(index(node) + step) % nodes}, 1 + step % 4, 0});
    return next(state);
  }

  bool wants_deliveries() const override { return true; }

  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    const NodeId node = delivery.packet.destination;
    deliveries.emplace_back(index(delivery.arrival), index(node));
    if (deliveries.size() > kMost) return;
    const std::uint64_t delay = 1 + deliveries.size() % 5 * 400;  // Some exceed a calendar turn.
    const Cycle wake = delivery.arrival + delay;
    if (nodes_[index(node)].wanted.insert(index(wake)).second) ++wakes;
    wake_ups.push_back({node, wake});
  }

  std::size_t asked() const {
    std::size_t sum = 0;
    for (const Node& node : nodes_) sum += node.asked;
    return sum;
  }
  bool kept_to_the_contract() const {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
      return node.asked_in_vain == 0 && node.wanted.empty();
    });
  }

  std::vector<Event> deliveries;
  std::size_t wakes = 0;

 private:
  static constexpr std::size_t kMost = 180;
  struct alignas(64) Node {
    std::set<std::uint64_t> wanted;
    std::size_t asked = 0;
    std::size_t asked_in_vain = 0;
  };
  static Cycle next(const Node& node) {
    return node.wanted.empty() ? kNever : Cycle{*node.wanted.begin()};
  }

  std::vector<Node> nodes_;
};

}  // namespace

TEST_CASE("a source hears of deliveries by cycle and node, and is asked when it wants, exactly",
          "[network]") {
  const RoutedNetwork network = mesh_network({4, 3}, 2);
  std::vector<std::unique_ptr<EchoSource>> sources;
  std::vector<std::unique_ptr<Fabric>> fabrics;
  NetworkParams params;
  params.router.virtual_channels = 2;
  for (const unsigned threads : {1U, 2U, 4U}) {
    params.threads = threads;
    sources.push_back(std::make_unique<EchoSource>(12));
    fabrics.push_back(std::make_unique<Fabric>(sc_core::sc_gen_unique_name("fabric"),
                                               *network.topology, *network.routing, *sources.back(),
                                               params));
  }
  for (auto& fabric : fabrics) fabric->run(40000);
  for (const auto& source : sources) {
    CHECK(source->deliveries.size() == 180 + 6);  // The last six schedule no packet.
    CHECK(std::is_sorted(source->deliveries.begin(), source->deliveries.end()));
    CHECK(source->deliveries == sources[0]->deliveries);
    CHECK(source->kept_to_the_contract());
    CHECK(source->asked() == source->wakes + 6);
  }
}

TEST_CASE("the packets of a node take its virtual channels in turn, from VC 0 on", "[network]") {
  const RoutedNetwork network = mesh_network({3, 3}, 3);
  constexpr std::uint64_t kGap = 400;  // Longer than any journey: all channels are free again.
  ScriptSource source(9);
  for (std::uint32_t node = 0; node < 9; ++node) {
    for (std::uint64_t packet = 0; packet < 5; ++packet) {
      source.add(Cycle{kGap * packet}, NodeId{node}, {NodeId{8 - node}, 2, 0});
    }
  }
  NetworkParams params;
  params.router.virtual_channels = 3;
  Fabric fabric("fabric", *network.topology, *network.routing, source, params);
  for (std::uint64_t packet = 0; packet < 5; ++packet) {
    fabric.run(kGap);
    for (std::uint32_t node = 0; node < 9; ++node) {
      CHECK(fabric.node_interface(NodeId{node}).queues[0].vc == packet % 3);
    }
  }
}
