// SPDX-License-Identifier: Apache-2.0
#include "routing/routing_table.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

// The rank of a line: at an entry, lines of a higher rank replace those of a lower one. Lines for
// one input come first, then those for one VC, for one destination, for several, and for all.
std::uint8_t precedence(const TableLine& line) {
  const auto named = std::count(line.destinations.begin(), line.destinations.end(), true);
  int rank = named == 1 ? 2 : 1;
  if (static_cast<std::size_t>(named) == line.destinations.size() && named > 1) rank = 0;
  if (line.vc) rank += 3;
  if (line.input) rank += 6;
  return static_cast<std::uint8_t>(rank + 1);
}

}  // namespace

/// Fills the entries of a table.
class RoutingTable::Builder {
 public:
  Builder(RoutingTable& table, const Topology& topology)
      : table_(table), topology_(topology), precedence_(table.entries_.size()) {
    table_.outputs_.emplace_back();
  }

  void add(const TableLine& line) {
    const std::uint8_t rank = precedence(line);
    for_each_place(line, [&](std::size_t place) {
      for (std::size_t node = 0; node < table_.nodes_; ++node) {
        if (line.destinations[node]) enter(place * table_.nodes_ + node, rank, line);
      }
    });
  }

  /// Lets packets leave to their destinations where no line decides.
  void add_ejections() {
    for (const NodeId node : topology_.nodes()) {
      const Endpoint ejection = topology_.attachment(node).ejection;
      TableLine line{ejection.router, {}, {}, std::vector<bool>(table_.nodes_), {}, 0};
      line.output = {ejection.port, table_.all_, 1, 0};
      for_each_place(line, [&](std::size_t place) {
        std::uint32_t& entry = table_.entries_[place * table_.nodes_ + index(node)];
        if (entry == 0) entry = extended(0, line.output);
      });
    }
  }

  /// Counts the values that sources draw from; removes outputs that were replaced meanwhile.
  void finish() {
    std::vector<bool> used(table_.outputs_.size());
    for (const std::uint32_t entry : table_.entries_) used[entry] = true;
    for (std::size_t i = 1; i < used.size(); ++i) {
      if (!used[i] || table_.params_.choice != TableChoice::kWeights) continue;
      table_.choices_ = std::lcm(table_.choices_, table_.outputs_[i].weight);
      if (table_.choices_ <= kMostChoices) continue;
      fail({table_.params_.file, 0, 0},
           "the sums of the weights have a least common multiple above " +
               std::to_string(kMostChoices),
           "give entries weights of equal sums, such as 100");
    }
    problems_.throw_if_any();
  }

 private:
  template <class Visit>
  void for_each_place(const TableLine& line, const Visit& visit) const {
    if (table_.first_input_.empty()) return visit(index(line.router));
    for (const PortId input : topology_.inputs(line.router)) {
      if (line.input && *line.input != input) continue;
      for (const VcId vc : EachVc(table_.all_)) {
        if (!line.vc || *line.vc == vc) visit(table_.place(line.router, input, vc));
      }
    }
  }

  void enter(std::size_t at, std::uint8_t rank, const TableLine& line) {
    if (rank < precedence_[at]) return;
    std::uint32_t& entry = table_.entries_[at];
    if (rank > precedence_[at]) entry = 0;
    precedence_[at] = rank;
    if (entry != 0 && table_.params_.choice == TableChoice::kNone) {
      return problems_.add({{table_.params_.file, line.number, 0},
                            "",
                            "node " + std::to_string(at % table_.nodes_) + " at router " +
                                topology_.router_name(line.router) + " has an output already",
                            "remove one of the lines, or add a column weight or priority"});
    }
    entry = extended(entry, line.output);
  }

  // The outputs of an entry and one more.
  std::uint32_t extended(std::uint32_t entry, const Output& more) {
    const std::pair<std::uint32_t, std::vector<std::uint32_t>> key{
        entry, {index(more.port), more.vcs, more.weight, more.priority}};
    const auto [known, is_new] =
        extensions_.try_emplace(key, static_cast<std::uint32_t>(table_.outputs_.size()));
    if (!is_new) return known->second;
    Outputs outputs = table_.outputs_[entry];
    outputs.all.push_back(more);
    outputs.weight += more.weight;
    outputs.lowest_priority = std::min(outputs.lowest_priority, more.priority);
    if (outputs.all.size() > Alternatives::kMost) {
      fail({table_.params_.file, 0, 0}, "an entry has more than 128 outputs", "remove some");
    }
    table_.outputs_.push_back(std::move(outputs));
    return known->second;
  }

  RoutingTable& table_;
  const Topology& topology_;
  std::vector<std::uint8_t> precedence_;  // Per entry, of its lines.
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint32_t> extensions_;
  ProblemList problems_;
};

/// Follows all packets of a table, destination by destination.
class RoutingTable::PathCheck {
 public:
  PathCheck(const RoutingTable& table, const Topology& topology)
      : table_(table), topology_(topology), adjacency_(topology) {}

  void check() {
    for (const NodeId node : topology_.nodes()) {
      destination_ = node;
      visits_.assign(table_.entries_.size() / table_.nodes_, Visit::kNone);
      for (const Attachment& source : topology_.attachments()) {
        for (const VcId vc : EachVc(table_.all_)) follow({source.injection, vc});
      }
      if (!table_.params_.everywhere) continue;
      for (const RouterId router : topology_.routers()) follow({{router, PortId{0}}, VcId{0}});
    }
    problems_.throw_if_any();
  }

 private:
  enum class Visit : std::uint8_t { kNone, kOpen, kDone };

  struct Arrival {
    Endpoint at;
    VcId vc{};
  };
  /// A place on the path and the arrivals that are still to be followed from it.
  struct Step {
    std::size_t place = 0;
    RouterId router{};
    std::vector<Arrival> next;
  };

  // Depth first, without recursion, since paths may be long.
  void follow(const Arrival& start) {
    std::vector<Step> path;
    enter(start, path);
    while (!path.empty()) {
      Step& here = path.back();
      if (here.next.empty()) {
        visits_[here.place] = Visit::kDone;
        path.pop_back();
        continue;
      }
      const Arrival next = here.next.back();
      here.next.pop_back();
      enter(next, path);
    }
  }

  void enter(const Arrival& arrival, std::vector<Step>& path) {
    const RouterId router = arrival.at.router;
    const std::size_t place = table_.place(router, arrival.at.port, arrival.vc);
    if (visits_[place] == Visit::kOpen) report_loop(place, path);
    if (visits_[place] != Visit::kNone) return;
    visits_[place] = Visit::kOpen;
    path.push_back({place, router, {}});
    const auto entry = table_.entries_[place * table_.nodes_ + index(destination_)];
    if (entry == 0) report_gap(arrival);
    for (const Output& output : table_.outputs_[entry].all) lead(router, output, path.back());
  }

  void lead(RouterId router, const Output& output, Step& step) {
    const std::uint32_t channel = adjacency_.leaving(router, output.port);
    if (channel != Adjacency::kNone) {
      for (const VcId vc : EachVc(output.vcs)) {
        step.next.push_back({topology_.channels()[channel].to, vc});
        if (table_.first_input_.empty()) break;
      }
      return;
    }
    if (topology_.attachment(destination_).ejection == Endpoint{router, output.port}) return;
    report("output " + std::to_string(index(output.port)) + " of router " +
               topology_.router_name(router) + " does not lead packets to node " + destination(),
           "name an output to another router, or leave out the lines at the node's router");
  }

  void report_gap(const Arrival& arrival) {
    std::string where = topology_.router_name(arrival.at.router);
    if (table_.reads_arrival()) {
      where += " from input " + std::to_string(index(arrival.at.port)) + " and VC " +
               std::to_string(index(arrival.vc));
    }
    report("no line leads packets for node " + destination() + " on from router " + where,
           "add a line for this router and destination");
  }

  void report_loop(std::size_t place, const std::vector<Step>& path) {
    auto step = std::find_if(path.begin(), path.end(), [&](auto& s) { return s.place == place; });
    std::string loop = topology_.router_name(step->router);
    std::size_t shown = 0;
    for (++step; step != path.end() && shown < 16; ++step, ++shown) {
      loop += " > " + topology_.router_name(step->router);
    }
    if (step != path.end()) loop += " > ...";
    report("packets for node " + destination() + " can go round through routers " + loop,
           "change a line of these routers, so that every hop leads nearer");
  }

  void report(std::string what, std::string hint) {
    problems_.add({{table_.params_.file, 0, 0}, "", std::move(what), std::move(hint)});
  }
  std::string destination() const { return std::to_string(index(destination_)); }

  const RoutingTable& table_;
  const Topology& topology_;
  const Adjacency adjacency_;
  NodeId destination_{};
  std::vector<Visit> visits_;  // Per place.
  ProblemList problems_;
};

RoutingTable::RoutingTable(const Topology& topology, const std::vector<TableLine>& lines,
                           const Params& params)
    : OnAllVcs(valid_vc_range(0, params.virtual_channels)),
      params_(params),
      nodes_(topology.node_count()) {
  std::size_t places = topology.router_count();
  if (any_of(lines, [](auto& l) { return l.input || l.vc; })) {
    first_input_ =
        starts_of(topology.routers(), [&](RouterId r) { return topology.input_count(r); });
    places = first_input_.back() * params.virtual_channels;
  }
  if (places > kMaxEntries / nodes_) {
    fail({params.file, 0, 0}, "the table has more than 2^26 entries", "use a smaller network");
  }
  entries_.resize(places * nodes_);
  Builder builder(*this, topology);
  for (const TableLine& line : lines) builder.add(line);
  builder.add_ejections();
  builder.finish();
  PathCheck(*this, topology).check();
}

const RoutingTable::Outputs& RoutingTable::outputs(const RouteRequest& request) const {
  const std::size_t at = place(request.router, request.input, request.vc);
  const Outputs& outputs = outputs_[entries_[at * nodes_ + index(request.destination)]];
  if (outputs.all.empty())
    throw std::logic_error("a packet is where the routing table has no line");
  return outputs;
}

Route RoutingTable::route(const RouteRequest& request) const {
  const Outputs& outputs = this->outputs(request);
  std::uint32_t drawn = request.route_field % outputs.weight;
  const Output* output = outputs.all.data();
  for (; drawn >= output->weight; ++output) drawn -= output->weight;
  return {output->port, output->vcs};
}

void RoutingTable::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const Outputs& outputs = this->outputs(request);
  for (const Output& output : outputs.all) {
    alternatives.add(
        {output.port, 0, output.vcs, output.priority, output.priority == outputs.lowest_priority});
  }
}

}  // namespace flitcast
