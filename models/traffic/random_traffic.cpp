// SPDX-License-Identifier: Apache-2.0
#include "traffic/random_traffic.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "traffic/load.h"

namespace flitcast {

RandomSource::RandomSource(std::size_t node_count, std::uint64_t seed, Load load,
                           std::uint64_t first_stream)
    : load_(std::move(load)) {
  nodes_.reserve(node_count);
  for (std::size_t n = 0; n < node_count; ++n) {
    const Injection& process = load_.injection(to_id<NodeId>(n));
    Node node{Random::stream(seed, first_stream + n), &process, 0, kNever};
    node.state = process.start(node.random);
    const std::uint64_t gap = process.gap(node.state, node.random);
    if (gap != Injection::kNoMore) node.next = Cycle{gap - 1};
    nodes_.push_back(node);
  }
}

Cycle RandomSource::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  PacketRequest request = address(id, node.random);
  request.length = load_.lengths.draw(node.random);
  packets.push_back(request);
  const std::uint64_t gap = node.process->gap(node.state, node.random);
  node.next = gap == Injection::kNoMore ? kNever : now + gap;
  return node.next;
}

double RandomSource::burst_cycle() const {
  return largest_of<double>(load_.injections, &Injection::burst_cycle);
}

std::optional<double> RandomTraffic::share(NodeId source, NodeId destination) const {
  const std::optional<double> share = pattern_->share(source, destination);
  if (!share || load().rates.size() <= 1 || load().mean_rate() == 0) return share;
  return *share * load().rate(source) / load().mean_rate();
}

std::unique_ptr<RandomTraffic> make_traffic(const Section& workload, const Topology& topology,
                                            std::uint64_t seed, std::uint64_t first_stream,
                                            const Routing* routing) {
  std::unique_ptr<Pattern> pattern;
  Load load = make_load(workload, topology.node_count(), [&] {
    pattern = make_pattern(workload, topology, routing);
    return pattern->rates();
  });
  return std::make_unique<RandomTraffic>(topology.node_count(), seed, std::move(pattern),
                                         std::move(load), first_stream);
}

std::vector<Param> traffic_params() {
  std::vector<Param> params = pattern_params(patterns());
  for (Param& param : load_params()) {
    if (param.key == "load") {
      param.when = {"pattern",
                    names_where(patterns(), [](const auto& entry) { return !entry.brings_rates; })};
    }
    params.push_back(std::move(param));
  }
  Param scale =
      Param::number("load", "flits per node and cycle",
                    "Mean load to which all rates are scaled; 0: they are as they are written.", 0)
          .defaults_to(0);
  scale.when = {"pattern", names_where(patterns(), &PatternEntry::brings_rates)};
  params.push_back(std::move(scale));
  return params;
}

namespace {

/// Returns `clos` after checking that it has enough switches for the fan-out.
const Clos& fitting(const Clos& clos, std::size_t fan_out) {
  const std::size_t switches = clos.structure().levels.front().r1;
  if (fan_out >= 1 && fan_out <= switches) return clos;
  throw std::invalid_argument("a fan-out of " + std::to_string(fan_out) + " with " +
                              std::to_string(switches) + " output switches");
}

}  // namespace

MulticastTraffic::MulticastTraffic(const Clos& clos, DestinationGroups& groups, std::size_t fan_out,
                                   std::uint64_t seed, Load load)
    : RandomSource(fitting(clos, fan_out).node_count(), seed, std::move(load)),
      switches_(clos.structure().levels.front().r1),
      ports_(clos.structure().levels.front().n1),
      fan_out_(fan_out),
      groups_(groups) {}

// Selection sampling (Knuth, "The Art of Computer Programming" 2, 3.4.2, algorithm S).
PacketRequest MulticastTraffic::address(NodeId, Random& random) {
  std::vector<NodeId> receivers;
  std::size_t wanted = 1 + random.below(fan_out_);
  for (std::size_t k = 0; wanted > 0; ++k) {
    if (random.below(switches_ - k) >= wanted) continue;
    receivers.push_back(to_id<NodeId>(k * ports_ + random.below(ports_)));
    --wanted;
  }
  PacketRequest request;
  request.receivers = static_cast<std::uint32_t>(receivers.size());
  request.destination = groups_.add(receivers);
  to_arrive_.resize(groups_.end(), 0);
  to_arrive_[index(request.destination)] = request.receivers;
  return request;
}

void MulticastTraffic::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const NodeId group = delivery.packet.destination;
  if (index(group) < groups_.nodes()) return;
  if (--to_arrive_[index(group)] == 0) groups_.remove(group);
}

std::unique_ptr<MulticastTraffic> make_multicast_traffic(const Section& workload, const Clos& clos,
                                                         DestinationGroups& groups,
                                                         std::uint64_t seed) {
  const std::size_t switches = clos.structure().levels.front().r1;
  const auto given = static_cast<std::size_t>(workload.integer("fan_out"));
  Load load = make_load(workload, clos.node_count(), [&] {
    if (given <= switches) return std::vector<double>();
    workload.fail("fan_out",
                  std::to_string(given) + " is more than the " + std::to_string(switches) +
                      " output switches of " + clos.name(),
                  "use 1 to " + std::to_string(switches) + ", or 0 for all");
  });
  return std::make_unique<MulticastTraffic>(clos, groups, given == 0 ? switches : given, seed,
                                            std::move(load));
}

std::vector<Param> multicast_traffic_params() {
  std::vector<Param> params = load_params();
  params.push_back(Param::integer("fan_out", "switches",
                                  "Most output switches of a request, one node at each; 0: all.", 0,
                                  65536)
                       .defaults_to(0));
  return params;
}

}  // namespace flitcast
