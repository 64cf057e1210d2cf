// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/sequences.h"
#include "config/wording.h"
#include "network/check/deadlock_search.h"
#include "sim/commands/command.h"
#include "sim/experiment/model.h"
#include "sim/host/progress.h"
#include "sim/sweep/search.h"
#include "sim/sweep/sweep.h"
#include "topology/adjacency.h"
#include "topology/channel_classes.h"

namespace flitcast {

namespace {

std::string describe_topology(const Model& model) {
  const Topology& topology = model.topology();
  std::string text =
      fmt::format("  topology  {}: {} nodes, {} routers, {} channels\n", visible(topology.name()),
                  topology.node_count(), topology.router_count(), topology.channels().size());
  // Distances from every router take long in larger networks.
  constexpr std::size_t kMostRouters = 16384;
  if (topology.router_count() > kMostRouters) return text;
  const TopologyMetrics metrics = measure(topology);
  text += fmt::format("            degree {}, diameter {}, mean distance {:.4f}", metrics.degree,
                      metrics.diameter, metrics.mean_distance);
  if (metrics.bisection_channels) {
    text += fmt::format(", bisection {} channels", *metrics.bisection_channels);
  }
  return text + "\n";
}

/// "4", or "4 to 10".
std::string range_text(const std::set<std::uint32_t>& values) {
  if (values.size() == 1) return fmt::format("{}", *values.begin());
  return fmt::format("{} to {}", *values.begin(), *values.rbegin());
}

/// The classes of channels with their latencies, widths and buffers, if the experiment defines
/// classes.
std::string links_text(const Model& model) {
  if (channels_alike(model.topology())) return "";
  struct Values {
    std::set<std::uint32_t> latency, cycles_per_flit, buffer_depth;
  };
  std::map<std::string, Values> values;
  for (const Channel& channel : model.topology().channels()) {
    const OutputChannel link = channel_behind(channel, model.network.params);
    Values& of_class = values[model.topology().channel_class(channel)];
    of_class.latency.insert(link.latency);
    of_class.cycles_per_flit.insert(link.cycles_per_flit);
    of_class.buffer_depth.insert(link.buffer_depth);
  }
  std::string text;
  for (const auto& [name, count] : channel_classes(model.topology())) {
    text += fmt::format("  {:<9} {} {}: latency {}, cycles per flit {}, VCs of {}\n",
                        text.empty() ? "links" : "", count, name, range_text(values[name].latency),
                        range_text(values[name].cycles_per_flit),
                        range_text(values[name].buffer_depth));
  }
  return text;
}

std::string verdict_text(const DependencyCheck& check) {
  if (!check.acyclic()) return "cyclic dependency: can deadlock";
  if (!check.cyclic) return "no cyclic dependency: deadlock-free";
  return fmt::format(
      "cyclic dependencies, but none through the {} escape channels that packets wait for: "
      "deadlock-free",
      check.waited_for);
}

/// Reports whether requests can block their replies.
std::string protocol_text(const Model& model, const Configuration& configuration, bool unsafe) {
  const NetworkParams& params = model.network.params;
  const bool answered =
      any_of(params.message_classes, [](const MessageClass& one) { return one.reply.has_value(); });
  if (!answered) return "";
  if (!unsafe) check_protocol(model, configuration);
  const char* verdict = "requests wait for replies, but nothing that waits is in front of these";
  if (params.reply_queue == 0) verdict = "nodes take every request, and replies wait for none";
  if (!protocol_deadlock(*model.network.routing, params).empty())
    verdict = "cyclic dependency: can deadlock";
  return fmt::format("  protocol  {}\n", verdict);
}

/// Reports that the arbitration order adds no dependency between channels but may starve packets.
std::string arbitration_text(const Model& model) {
  const ArbitrationTraits& traits = traits_of(model.network.params.router.options.arbitration);
  if (!traits.can_starve) return "";
  return fmt::format(
      "  order     {}: packets starve while others that go first take a whole output, which is no "
      "deadlock\n",
      traits.name);
}

std::string capacity_text(const Model& model) {
  if (!model.capacity) return "";
  const Capacity& capacity = *model.capacity;
  std::string text = fmt::format("  capacity  {}\n", to_text(capacity, model.topology()));
  if (!capacity.exceeded()) return text;
  return text + fmt::format("            a load of {:g} saturates it\n", capacity.offered);
}

/// Checks and describes the points of a sweep.
class PointCheck {
 public:
  explicit PointCheck(const ExperimentOptions& options)
      : unsafe_(options.unsafe), limit_(memory_limit(options.memory_limit)) {}

  const MemoryLimit& limit() const { return limit_; }
  /// The notes about all points so far.
  const std::set<std::string>& notes() const { return notes_; }

  /// Describes a point. Throws ConfigError if its parts do not fit together.
  std::string describe(const Configuration& configuration) {
    const Model model = make_model(configuration, unsafe_, limit_);
    for (const std::string& note : notes_of(model, configuration)) notes_.insert(note);
    const Routing* routing = model.network.routing.get();
    std::string report = topology_text(configuration, model) + links_text(model);
    if (!model.network.can.has_fixed_paths) {
      report += "  routing   central control: waiting requests hold no links\n";
    } else if (routing->multicast() && !dependencies_are_checkable(model)) {
      report += "  routing   routers forward by the rules of the tree\n";
    } else if (!dependencies_are_checkable(model)) {
      report += "  routing   network too large to check for deadlock\n";
    } else {
      const DependencyCheck check =
          unsafe_ ? check_dependencies(model.topology(), *routing,
                                       model.network.params.router.virtual_channels)
                  : check_routing(model, configuration);
      report += fmt::format("  routing   {} virtual channels, {} dependencies, {}\n",
                            check.channels, check.dependencies, verdict_text(check));
    }
    report += arbitration_text(model);
    report += protocol_text(model, configuration, unsafe_);
    report += capacity_text(model);
    for (const auto& [label, text] : model.workload->findings()) {
      report += fmt::format("  {:<9} {}\n", label, text);
    }
    const std::optional<std::uint64_t> bytes = memory_estimate(model.network);
    if (!bytes) return report;
    return report + fmt::format("  memory    about {}\n", size_text(static_cast<double>(*bytes)));
  }

 private:
  const std::string& topology_text(const Configuration& configuration, const Model& model) {
    const ordered_json& values = configuration.effective();
    const std::string key = values.value("topology", ordered_json()).dump() +
                            values.value("node", ordered_json()).dump();
    const auto [place, is_new] = topology_texts_.try_emplace(key);
    if (is_new) place->second = describe_topology(model);
    return place->second;
  }

  const bool unsafe_;
  const MemoryLimit limit_;
  /// Most points have the same topology. Indexed by the values that the text depends on.
  std::map<std::string, std::string> topology_texts_;
  std::set<std::string> notes_;
};

int check_file(const ExperimentOptions& options) {
  const Sweep sweep = sweep_of(options);
  std::string report;
  PointCheck check(options);
  {
    const bool is_single = sweep.size() == 1;
    const SetupWatch watch(!is_single, check.limit());
    Progress progress(is_single);
    sweep.check([&](std::size_t point, const Configuration& configuration) {
      progress.show("check", point, sweep.size(), "points");
      const std::string which =
          sweep.swept() ? " " + sweep.values(point, configuration).dump() : "";
      require_sound_ends(sweep, point, configuration, options);
      const std::string text = check.describe(configuration);
      report += configuration.name() + which + ": valid\n" + text;
    });
  }
  for (const std::string& note : check.notes()) std::cerr << "note: " << visible(note) << '\n';
  std::cout << report;
  return kDone;
}

void add_check_options(CLI::App& app, ExperimentOptions& options) {
  add_experiment(app, options);
  add_memory_limit(app, options.memory_limit);
  app.add_flag("--unsafe", options.unsafe, "Accept a network that can deadlock");
}

}  // namespace

Command check_command() {
  return {"check", "Validate a file, its network and its routing without a run",
          declare<ExperimentOptions, add_check_options, check_file>};
}

}  // namespace flitcast
