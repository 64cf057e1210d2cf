// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "permutation/tables.h"
#include "sim/workloads/rank_nodes.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

/// The first `most` of the nodes but for the source, none of them twice.
std::vector<NodeId> without(const std::vector<NodeId>& nodes, NodeId source, std::size_t most) {
  std::vector<NodeId> others;
  for (const NodeId node : nodes) {
    if (others.size() == most) break;
    const bool known = std::count(others.begin(), others.end(), node) != 0;
    if (node != source && !known) others.push_back(node);
  }
  return others;
}

/// Reads the parts of the instance from their keys.
class InstanceReader {
 public:
  explicit InstanceReader(const WorkloadContext& context)
      : section_(context.section()),
        node_(context.configuration.section("node")),
        topology_(context.topology) {}

  CollectiveInstance read() const {
    CollectiveInstance instance{CollectiveContext{topology_}};
    CollectiveContext& context = instance.context;
    context.ports = ports();
    context.operation = operation_named(section_.text("operation"));
    if (has_source(context.operation)) context.source = source();
    if (context.operation == Operation::kMulticast) context.receivers = receivers();
    if (section_.has("mapping")) place_ranks(instance);
    return instance;
  }

 private:
  NodeId source() const { return NodeId{static_cast<std::uint32_t>(section_.integer("source"))}; }

  unsigned ports() const {
    const std::size_t ports = topology_.node_ports();
    const bool all = node_.is_integer("ports") ? ports > 1 && ports >= most_router_ports(topology_)
                                               : node_.text("ports") == "all";
    return all ? kAllPorts : static_cast<unsigned>(ports);
  }

  // Algorithms for one topology have no ranks but its nodes.
  void place_ranks(CollectiveInstance& instance) const {
    require_ranks(instance.context.operation);
    if (!section_.given("nodes") && !section_.given("mapping")) return;
    const std::vector<NodeId> nodes = nodes_of_ranks(section_, topology_);
    instance.placement = Placement(nodes, topology_.node_count());
    instance.rank_nodes = nodes;
    CollectiveContext& context = instance.context;
    context.ranks = nodes.size();
    if (!has_source(context.operation)) return;
    require_source(topology_, context.source);
    context.source = instance.placement.rank(context.source);
    if (context.source != Placement::kNoRank) return;
    section_.fail("source", fmt::format("node {} is none of workload.nodes", index(source())),
                  "use one of them, or name it there");
  }

  void require_ranks(Operation operation) const {
    ProblemList problems;
    const std::string algorithm = section_.text("algorithm");
    const bool on_ranks = collectives().find(algorithm)->is_on_ranks(operation);
    for (const char* key : {"nodes", "mapping"}) {
      if (on_ranks || !section_.given(key)) continue;
      problems.add(
          section_.problem(key, fmt::format("{} places a {} itself", algorithm, to_text(operation)),
                           "leave it out, or use an algorithm for any network"));
    }
    problems.throw_if_any();
  }

  std::vector<NodeId> receivers() const {
    const std::size_t nodes = topology_.node_count();
    const Variant destinations = section_.variant("destinations");
    if (destinations.name == "listed") return listed_receivers(destinations.numbers);
    const std::size_t count = receiver_count();
    if (destinations.name == "next") return nodes_after(source(), count, nodes);
    const auto seed = static_cast<std::uint64_t>(destinations.numbers.front());
    return without(random_permutation(seed, nodes), source(), count);
  }

  // 0 stands for all other nodes.
  std::size_t receiver_count() const {
    const std::size_t others = topology_.node_count() - 1;
    const std::size_t given = section_.count("receivers");
    if (given <= others) return given == 0 ? others : given;
    section_.fail("receivers",
                  fmt::format("{} nodes beside the source are more than the {} that there are",
                              given, others),
                  "use 0 for all of them");
  }

  std::vector<NodeId> listed_receivers(const std::vector<std::int64_t>& numbers) const {
    const auto nodes = static_cast<std::int64_t>(topology_.node_count());
    if (section_.given("receivers")) {
      section_.fail("receivers", "the destinations are listed", "leave it out");
    }
    std::vector<NodeId> listed;
    for (const std::int64_t number : numbers) {
      if (number >= nodes) {
        section_.fail("destinations", fmt::format("{} has no node {}", topology_.name(), number),
                      fmt::format("use nodes from 0 to {}", nodes - 1));
      }
      listed.push_back(NodeId{static_cast<std::uint32_t>(number)});
    }
    return without(listed, source(), listed.size());
  }

  const Section& section_;
  const Section& node_;
  const Topology& topology_;
};

}  // namespace

CollectiveInstance collective_instance(const WorkloadContext& context) {
  return InstanceReader(context).read();
}

}  // namespace flitcast
