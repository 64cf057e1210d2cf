// SPDX-License-Identifier: Apache-2.0
#include "topology/faults.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "config/wording.h"
#include "topology/adjacency.h"
#include "topology/router_names.h"

namespace flitcast {

Faulty::Faulty(std::shared_ptr<const Topology> whole, const Faults& faults)
    : Topology(whole->name() + " with faults"),
      whole_(std::move(whole)),
      failed_(whole_->channels().size(), false) {
  std::vector<bool> dead(whole_->router_count(), false);
  for (const RouterId router : faults.routers) dead.at(index(router)) = true;
  for (const std::size_t channel : faults.channels) failed_.at(channel) = true;
  for (const RouterId r : whole_->routers()) {
    add_router(whole_->input_count(r), whole_->output_count(r));
  }
  for (std::size_t c = 0; c < failed_.size(); ++c) {
    const Channel& channel = whole_->channels()[c];
    if (dead[index(channel.from.router)] || dead[index(channel.to.router)]) failed_[c] = true;
    if (!failed_[c]) add_channel(channel);
  }
  for (const NodeId n : whole_->nodes()) {
    const Attachment& at = whole_->attachment(n);
    if (dead[index(at.injection.router)] || dead[index(at.ejection.router)]) continue;
    add_node(at);
    nodes_.push_back(n);
  }
  if (nodes_.empty()) throw std::invalid_argument("no node is left");
}

std::vector<std::size_t> Faulty::node_grid() const {
  return nodes_.size() == whole_->node_count() ? whole_->node_grid() : Topology::node_grid();
}

namespace {

Faulty::Faults read_faults(const Topology& topology, const Section& section) {
  const RouterNames names(topology);
  Faulty::Faults faults;
  ProblemList problems;
  for (const std::string& fault : section.texts("faults")) {
    const auto fail = [&](const std::string& what, const std::string& hint) {
      problems.add(section.problem("faults", quoted(fault) + " " + what, hint));
    };
    const auto named = [&](const std::string& name) {
      const std::optional<RouterId> router = names.find(name);
      if (!router) fail("names no router of " + topology.name(), names.hint_for(name));
      return router;
    };
    const std::vector<std::string> words = words_in(fault);
    if (words.size() == 2 && words[0] == "router") {
      if (const auto router = named(words[1])) faults.routers.push_back(*router);
    } else if (words.size() >= 3 && words[0] == "link" &&
               (words.size() == 3 || (words.size() == 4 && words[3] == "oneway"))) {
      const auto from = named(words[1]);
      const auto to = named(words[2]);
      if (!from || !to) continue;
      std::vector<std::size_t> channels = names.channels(*from, *to);
      if (words.size() == 3) append(channels, names.channels(*to, *from));
      append(faults.channels, channels);
      if (!channels.empty()) continue;
      fail("names no link of " + topology.name(),
           "links lead from router " + words[1] + " to " + names.neighbours(*from));
    } else {
      fail("says nothing that can fail",
           "write router NAME, link NAME NAME, or link NAME NAME oneway");
    }
  }
  problems.throw_if_any();
  return faults;
}

/// The first kEnoughPairs pairs without a path.
std::vector<std::pair<NodeId, NodeId>> pairs_cut_off(const Topology& topology) {
  const Adjacency adjacency(topology);
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (const NodeId source : topology.nodes()) {
    const RouterId start = topology.attachment(source).injection.router;
    const auto distances = distances_to_routers(start, topology, adjacency);
    for (const NodeId node : topology.nodes()) {
      const RouterId end = topology.attachment(node).ejection.router;
      if (distances[index(end)] == kUnreached) pairs.emplace_back(source, node);
      if (pairs.size() == kEnoughPairs) return pairs;
    }
  }
  return pairs;
}

}  // namespace

Param faults_param() {
  return Param::texts("faults",
                      "Failed parts: `link ROUTER ROUTER` both ways, `link ROUTER ROUTER "
                      "oneway`, or `router ROUTER`, whose nodes are gone and the others "
                      "numbered anew. Routings for any topology go round.")
      .defaults_to(nlohmann::json::array())
      .dumped_if_changed();
}

std::unique_ptr<Topology> with_faults(std::unique_ptr<Topology> topology, const Section& section) {
  if (!section.has("faults") || section.texts("faults").empty()) return topology;
  const Faulty::Faults faults = read_faults(*topology, section);
  std::unique_ptr<Faulty> faulty;
  try {
    faulty = std::make_unique<Faulty>(std::move(topology), faults);
  } catch (const std::invalid_argument&) {
    section.fail("faults", "no node is left", "let a router with a node work");
  }
  const auto pairs = pairs_cut_off(*faulty);
  if (!pairs.empty()) {
    section.fail("faults", "no way is left from " + listed_pairs(pairs),
                 "let a link or router on the way work");
  }
  return faulty;
}

std::string listed_pairs(const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  std::vector<std::string> texts;
  for (const auto& [from, to] : pairs) {
    texts.push_back("node " + std::to_string(index(from)) + " to node " +
                    std::to_string(index(to)));
  }
  if (texts.size() == kEnoughPairs) texts.back() = "more";
  return listed(texts);
}

}  // namespace flitcast
