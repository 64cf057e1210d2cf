// SPDX-License-Identifier: Apache-2.0
// Compares the words of a summary with the result that programs read.
#include <fmt/format.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "figure_paths.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

/// Words of a summary around a value, and the figure that the value shows.
struct Words {
  const char* pattern;  ///< The value is its only group.
  const char* figure;   ///< JSON pointer of the figure.
};

constexpr const char* kNumber = "([0-9.]+)";

/// Returns the words in the order of their lines; # stands for a number.
const std::vector<Words>& words() {
  static const std::vector<Words> all{
      {"  status +([a-z]+)", "/status"},
      {" after # cycles\n", "/cycles"},
      {"  reason +([^\n]*)\n", "/reason"},
      {"  packets +# created", "/packets/created"},
      {", # delivered\n", "/packets/delivered"},
      {" created for # receivers", "/packets/copies"},
      {" receivers, # copies delivered\n", "/packets/delivered"},
      {"  rounds +#", "/collective/rounds"},
      {"lower bound #: ", "/collective/lower_bound_rounds"},
      {", # transmissions", "/collective/transmissions"},
      {", # duplicates\n", "/collective/duplicates"},
      {"  collective +# cycles measured", "/collective/cycles"},
      {", # analytic", "/collective/analytic_cycles"},
      {"  latency +mean #", "/latency_cycles/mean"},
      {" [+]- #  p50", "/latency_cycles/mean_half_width_95"},
      {"  latency +mean [0-9.]+ .[+]- unknown: .*; set measure.window to #",
       "/latency_cycles/sufficient_window"},
      {"  latency +mean [0-9.]+ .[+]- unknown: .*, relaxation time # cycles;",
       "/latency_cycles/relaxation_cycles"},
      {"  p50 #", "/latency_cycles/p50"},
      {"  p95 #", "/latency_cycles/p95"},
      {"  p99 #", "/latency_cycles/p99"},
      {"  max # cycles", "/latency_cycles/max"},
      {"; in the network #\n", "/network_latency_cycles/mean"},
      {"  load +offered #", "/offered_flits_per_node_cycle"},
      {", accepted #", "/accepted_flits_per_node_cycle/mean"},
      {" .worst node #. flits", "/accepted_flits_per_node_cycle/worst_node"},
      {"  capacity +at most # flits", "/capacity/flits_per_node_cycle"},
      {"set by ([^\\n]*?)(?: and [0-9]+ more)?\n", "/capacity/channel"},
      {"  backlog +[+]?(-?[0-9]+) flits", "/backlog/growth"},
      {"worst of node #", "/backlog/source/node"},
      {"worst of node [0-9]+ .[+]?(-?[0-9]+)", "/backlog/source/growth"},
      {", for node #", "/backlog/destination/node"},
      {", for node [0-9]+ .[+]?(-?[0-9]+)", "/backlog/destination/growth"},
      {", from # to ", "/backlog/flow/source"},
      {", from [0-9]+ to #", "/backlog/flow/destination"},
      {", from [0-9]+ to [0-9]+ .[+]?(-?[0-9]+)", "/backlog/flow/growth"},
      {"  paper +T # ", "/permutation/steps"},
      {"  paper +T [0-9]+ .at least #.", "/permutation/lower_bound_steps"},
      {", C #", "/permutation/congestion"},
      {", Q #", "/permutation/max_queue"},
      {", H #", "/permutation/max_held"},
      {", delays up to #\n", "/permutation/max_delay"},
      {"  steps +# on the network\n", "/permutation/network_steps"},
      {"  permutation +# cycles measured", "/permutation/cycles"},
      {", # for the steps of the paper\n", "/permutation/analytic_cycles"},
      {"  hops +# routers per packet\n", "/hops_mean"},
      {"  buffers +longest queue # .Q.", "/buffers/max_queue"},
      {"another in one router # .H.\n", "/buffers/max_held"},
      {"  control +# packets admitted", "/control/admitted"},
      {"admitted, # waited for outputs", "/control/waited_for_outputs"},
      {"for outputs, # for a path; ", "/control/waited_for_path"},
      {"; # passes at most\n", "/control/most_passes"},
      {"  circuits +# set up", "/circuit/granted"},
      {"set up, # blocked", "/circuit/blocked"},
      {"blocked, # dropped", "/circuit/dropped"},
      {"; waited # cycles for outputs", "/circuit/wait_cycles/outputs"},
      {"for outputs, # for the controller", "/circuit/wait_cycles/controller"},
      {"for the controller, # for a path\n", "/circuit/wait_cycles/path"},
      {"  checksum +([0-9a-f]+)\n", "/checksum"},
  };
  return all;
}

std::regex regex_of(std::string pattern) {
  const std::size_t at = pattern.find('#');
  if (at != std::string::npos) pattern.replace(at, 1, kNumber);
  return std::regex(pattern);
}

/// Formats a figure with as many decimal places as `shown` has.
std::string as_shown(const Json& figure, const std::string& shown) {
  if (figure.is_string()) return figure.get<std::string>();
  const std::size_t dot = shown.find('.');
  const std::size_t places = dot == std::string::npos ? 0 : shown.size() - dot - 1;
  return fmt::format("{:.{}f}", figure.get<double>(), places);
}

/// The part of the result that has the figure: one of several workloads, or all.
const Json& owner_of(const Json::json_pointer& figure, const Json& result) {
  if (result.contains(figure) || !result.contains("workloads")) return result;
  for (const Json& workload : result.at("workloads")) {
    if (workload.contains(figure)) return workload;
  }
  return result;
}

/// Checks all words that the summary contains, and records their figures.
void check_words(const std::string& summary, const Json& result, std::set<std::string>& found) {
  for (const Words& word : words()) {
    std::smatch match;
    if (!std::regex_search(summary, match, regex_of(word.pattern))) continue;
    INFO(word.pattern << " in\n" << summary);
    const Json::json_pointer figure(word.figure);
    const Json& owner = owner_of(figure, result);
    REQUIRE(owner.contains(figure));
    CHECK(match[1] == as_shown(owner.at(figure), match[1]));
    found.insert(word.figure);
  }
}

/// Returns the first links as "43 -> 44 20.7 %, 19 -> 20 20.3 %".
std::string links_line(const Json& result) {
  std::string line;
  for (std::size_t l = 0; l < 4; ++l) {
    const Json& link = result.at("links").at(l);
    const auto end = [&link](const char* router) {
      return link.contains(router) ? link.at(router).dump() : "node " + link.at("node").dump();
    };
    line += fmt::format("{}{} -> {} {:.1f} %", l == 0 ? "" : ", ", end("from"), end("to"),
                        100 * link.at("load").get<double>());
  }
  return line;
}

}  // namespace

TEST_CASE("every number of a summary is the figure of the result that its words name", "[sim]") {
  const Folder folder;
  write_traces(folder);
  std::set<std::string> found;
  for (const FigureGroup& group : figure_groups()) {
    const Observed seen = observe(configuration_of(folder.placed(group.experiment.text())));
    check_words(seen.summary, seen.result, found);
  }
  for (const Words& word : words()) {
    INFO(word.figure);
    CHECK(found.count(word.figure) == 1);
  }
}

TEST_CASE("a summary has what each class offers and what is accepted of it", "[sim]") {
  Experiment experiment;
  experiment.workload =
      "{kind: traffic, classes: [{name: calm, load: 0.1, virtual_channels: [0, 0]}, "
      "{name: pushing, load: 1.4, virtual_channels: [1, 3]}]}";
  const Observed seen = observe(configuration_of(experiment.text()));
  INFO(seen.summary);
  REQUIRE(seen.result.at("classes").size() == 2);
  for (const Json& one : seen.result.at("classes")) {
    const auto offered = one.at("offered_flits_per_node_cycle").get<double>();
    const auto accepted = one.at("accepted_flits_per_node_cycle").get<double>();
    const auto name = one.at("name").get<std::string>();
    CHECK(seen.summary.find(fmt::format("{}: offered {:.4f}, accepted {:.4f} flits", name, offered,
                                        accepted)) != std::string::npos);
    CHECK((name == "calm" || accepted < 0.9 * offered));
  }
}

TEST_CASE("a summary names the lengths of packets, with or before the last", "[sim]") {
  const auto first_line = [](const std::string& lengths) {
    Experiment experiment;
    experiment.workload = "{kind: traffic, load: 0.1, packet_length: " + lengths + "}";
    const std::string summary = observe(configuration_of(experiment.text())).summary;
    return summary.substr(0, summary.find('\n'));
  };
  CHECK(first_line("[1, 2, 4, 9]").find(", packets of 1, 2, 4 or 9 flits") != std::string::npos);
  CHECK(first_line("[1, 2]").find(", packets of 1 or 2 flits") != std::string::npos);
  CHECK(first_line("[1]").find(", packets of 1 flit") != std::string::npos);
}

TEST_CASE("a summary names the most loaded links of the result", "[sim]") {
  const Observed seen = observe(configuration_of(busy_mesh().experiment.text()));
  INFO(seen.summary);
  CHECK(seen.summary.find("links      " + links_line(seen.result)) != std::string::npos);
}
