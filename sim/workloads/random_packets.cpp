// SPDX-License-Identifier: Apache-2.0
// Random packets: a pattern of destinations with an injection process, and multicasts for Clos
// networks under central control.
#include "sim/workloads/random_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/experiment/capacity.h"
#include "sim/experiment/workload.h"
#include "traffic/random_traffic.h"
#include "traffic/traffic_classes.h"

namespace flitcast {

std::string load_text(const Load& load) {
  const auto [least, most] = std::minmax_element(load.rates.begin(), load.rates.end());
  const std::string range = *least == *most ? "" : fmt::format(" ({:g} to {:g})", *least, *most);
  return fmt::format("{:g}{}", load.mean_rate(), range);
}

std::string lengths_text(const std::vector<std::int64_t>& lengths) {
  std::vector<std::string> texts =
      mapped(lengths, [](std::int64_t length) { return std::to_string(length); });
  texts.back() = counted(lengths.back(), "flit");
  return listed(texts, " or ");
}

namespace {

// True if every node sends only to itself, as with tornado if no dimension is longer than two.
bool stays_at_home(const Pattern& pattern, std::size_t nodes) {
  std::uint32_t node = 0;
  while (node < nodes && pattern.share(NodeId{node}, NodeId{node}) == 1.0) ++node;
  return node == nodes;
}

}  // namespace

std::uint32_t RandomPackets::longest_packet() const {
  return largest_of<std::uint32_t>(
      lengths(), [](std::int64_t length) { return static_cast<std::uint32_t>(length); });
}

std::uint32_t RandomPackets::shortest_packet() const {
  const std::vector<std::int64_t> all = lengths();
  const auto shortest = std::min_element(all.begin(), all.end());
  // An empty list is refused by join().
  return shortest == all.end() ? 1 : static_cast<std::uint32_t>(*shortest);
}

void RandomPackets::note_pattern(const Pattern& pattern, const Section& section,
                                 const Topology& topology, const std::string& prefix) {
  if (!pattern.note().empty()) note(prefix + pattern.note());
  if (!stays_at_home(pattern, topology.node_count())) return;
  note(fmt::format("{}{} sends every packet back to its own node on {}: no link carries any",
                   prefix, section.text("pattern"), topology.name()));
}

void RandomPackets::compare_with_injection(const NetworkPlan& network, const std::string& name,
                                           double load) {
  const double limit = injection_limit(network, *offered_load());
  if (load <= limit) return;
  note(fmt::format("{} {:g} flits per node and cycle, of which a node can inject {:.4g} at most",
                   name, load, limit));
}

std::string RandomPackets::rates_text(const Load& load) const {
  return fmt::format("at {} flits per node and cycle, packets of {}", load_text(load),
                     lengths_text(lengths()));
}

namespace {

double highest_rate(const Load& load) {
  return *std::max_element(load.rates.begin(), load.rates.end());
}

OfferedLoad offered_by(const RandomSource& source, TrafficShares shares) {
  return {source.load().mean_rate(),
          {source.mean_length()},
          std::move(shares),
          source.load().packet_rates(),
          source.burst_cycle()};
}

class Traffic : public RandomPackets {
 public:
  using RandomPackets::RandomPackets;

  void join(const NetworkPlan& network) override {
    const Topology& topology = *network.topology;
    source_ = make_traffic(section(), topology, context().seed(), 0, network.routing.get());
    note_pattern(source_->pattern(), section(), topology);
    compare_with_injection(network, section().name() + ".load is", highest_rate(source_->load()));
  }
  PacketSource& source() override { return *source_; }
  std::optional<OfferedLoad> offered_load() const override {
    return offered_by(*source_, [&traffic = *source_](NodeId source, NodeId destination) {
      return traffic.share(source, destination);
    });
  }
  std::string text() const override {
    const std::string kind = section().text("pattern") + " traffic";
    return source_ == nullptr ? kind : kind + " " + rates_text(source_->load());
  }

 private:
  std::unique_ptr<RandomTraffic> source_;
};

class ClosRequests : public RandomPackets {
 public:
  using RandomPackets::RandomPackets;

  void join(const NetworkPlan& network) override {
    if (network.groups == nullptr) return;  // The network has a problem that is reported elsewhere.
    source_ = make_multicast_traffic(section(), *topology_as<Clos>(*network.topology),
                                     *network.groups, context().seed());
    compare_with_injection(network, section().name() + ".load is", highest_rate(source_->load()));
  }
  PacketSource& source() override { return *source_; }
  std::optional<OfferedLoad> offered_load() const override {
    return offered_by(*source_, [share = source_->share()](NodeId, NodeId) { return share; });
  }
  std::string text() const override {
    const std::int64_t fan_out = section().integer("fan_out");
    const std::string limit =
        fan_out == 0 ? "" : fmt::format(" to up to {} output switches", fan_out);
    const std::string kind = "random multicasts" + limit;
    return source_ == nullptr ? kind : kind + " " + rates_text(source_->load());
  }

 private:
  std::unique_ptr<MulticastTraffic> source_;
};

void fit_requests(const FitContext& context) {
  if (context.can.has_multicasts) return;
  context.refuse("workload", "kind",
                 "clos_requests are multicasts, which this routing does not carry",
                 "set routing.kind: central_control, on a clos topology");
}

std::vector<Param> traffic_keys() {
  return with_interfaces(concatenated<Param>(
      {{traffic_classes_param()}, only_while("classes", "[]", traffic_params())}));
}

std::unique_ptr<Workload> make_random_packets(const WorkloadContext& context) {
  if (!context.section().sections("classes").empty()) return make_classed_packets(context);
  return std::make_unique<Traffic>(context);
}

}  // namespace

WorkloadEntry traffic_workload() {
  return {{"traffic",
           "Packets at random: a pattern says where to, an injection process when.",
           traffic_keys,
           make_random_packets,
           {"", "pattern: tornado, load: 0.2, packet_length: [1, 5]",
            "classes: [{name: read, load: 0.05, reply: data}, {name: data, packet_length: 5}]"}}};
}

WorkloadEntry clos_requests_workload() {
  return {{"clos_requests",
           "Random multicasts, for a Clos network under central control.",
           multicast_traffic_params,
           makes<ClosRequests>(),
           {"", "fan_out: 2, load: 0.05"},
           fit_requests},
          {},
          true};
}

}  // namespace flitcast
