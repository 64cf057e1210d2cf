// SPDX-License-Identifier: Apache-2.0
#include "traffic/random_traffic.h"

#include <optional>
#include <utility>

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

namespace {

/// The result of `make`, or nothing when it throws: its problems then join the list.
template <class Make>
auto collect(std::vector<Problem>& problems, Make make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const ConfigError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return std::nullopt;
  }
}

}  // namespace

std::unique_ptr<PacketSource> make_traffic(const Section& workload, const Topology& topology,
                                           std::uint64_t seed) {
  std::vector<Problem> problems;
  auto pattern = collect(problems, [&] {
    return find(patterns(), workload.text("pattern"))->make(workload, topology);
  });
  auto lengths = collect(problems, [&] { return make_packet_lengths(workload); });
  std::optional<std::unique_ptr<Injection>> injection;
  if (lengths) {  // Without a mean length no load can be judged.
    injection = collect(problems, [&] {
      return find(injections(), workload.text("injection"))->make(workload, lengths->mean());
    });
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return std::make_unique<RandomTraffic>(topology.node_count(), seed, *std::move(pattern),
                                         *std::move(injection), *std::move(lengths));
}

}  // namespace flitcast
