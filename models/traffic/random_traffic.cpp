// SPDX-License-Identifier: Apache-2.0
#include "traffic/random_traffic.h"

#include <utility>

#include "traffic/make_load.h"

namespace flitcast {

RandomTraffic::RandomTraffic(std::size_t node_count, std::uint64_t seed,
                             std::unique_ptr<Pattern> pattern, std::unique_ptr<Injection> injection,
                             PacketLengths lengths)
    : pattern_(std::move(pattern)), injection_(std::move(injection)), lengths_(std::move(lengths)) {
  nodes_.reserve(node_count);
  for (std::size_t n = 0; n < node_count; ++n) {
    Node node{Random::stream(seed, n), 0, kNever};
    node.injection = injection_->start(node.random);
    const std::uint64_t gap = injection_->gap(node.injection, node.random);
    if (gap != Injection::kNoMore) node.next = Cycle{gap - 1};
    nodes_.push_back(node);
  }
}

Cycle RandomTraffic::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  const NodeId destination = pattern_->destination(id, node.random);
  packets.push_back({destination, lengths_.draw(node.random), 0});
  const std::uint64_t gap = injection_->gap(node.injection, node.random);
  node.next = gap == Injection::kNoMore ? kNever : now + gap;
  return node.next;
}

std::unique_ptr<PacketSource> make_traffic(const Section& workload, const Topology& topology,
                                           std::uint64_t seed) {
  std::unique_ptr<Pattern> pattern;
  Load load = make_load(workload, [&] {
    pattern = find(patterns(), workload.text("pattern"))->make(workload, topology);
  });
  return std::make_unique<RandomTraffic>(topology.node_count(), seed, std::move(pattern),
                                         std::move(load.injection), std::move(load.lengths));
}

std::vector<Param> traffic_params() {
  std::vector<Param> params = menu_params(
      Param::choice("pattern", "Who sends to whom.").defaults_to("uniform"), patterns());
  for (Param& param : load_params()) params.push_back(std::move(param));
  return params;
}

}  // namespace flitcast
