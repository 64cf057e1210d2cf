// SPDX-License-Identifier: Apache-2.0
#include "conformance/permutation_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include "base/random.h"
#include "conformance/permutation_instance.h"
#include "conformance/permutation_play.h"
#include "conformance/text.h"
#include "permutation/instance.h"

namespace flitcast::conformance {
namespace {

using Play = PermutationPlayed (*)(const PermutationToPlay& what);
using Differences = std::vector<Difference>;

/// The machines that a level requires. There is no RTL of a whole network, so that level uses the
/// step machine for these rows.
std::vector<std::pair<const char*, Play>> machines(Level level) {
  std::vector<std::pair<const char*, Play>> machines;
  if (level != Level::kNetwork) machines.emplace_back("", play_on_paper);
  if (level == Level::kNetwork || level == Level::kBoth) {
    machines.emplace_back("network ", play_on_network);
  }
  return machines;
}

std::string value_of(const PermutationPlayed& played, const std::string& metric) {
  if (metric == "T1+T2" && played.phases == 2) {
    return fmt::format("{}+{}", played.phase_steps[0], played.phase_steps[1]);
  }
  const std::map<std::string, std::size_t> values{
      {"T", played.steps},        {"Q", played.max_queue},    {"H", played.max_held},
      {"C", played.congestion},   {"Qmax", played.max_queue}, {"Hmax", played.max_held},
      {"s", played.sorting_steps}};
  const auto found = values.find(metric);
  if (found == values.end()) throw std::invalid_argument("no metric \"" + metric + "\"");
  return std::to_string(found->second);
}

/// Compares one or several metrics, "Q,H", with the values that the row expects, "1,0".
void compare(const Row& row, const std::string& machine, const PermutationPlayed& played,
             Differences& differences) {
  if (!played.agrees) differences.push_back({machine + "run", "the steps of the paper", "others"});
  const std::vector<std::string> metrics = split(row["metric"], ',');
  const std::vector<std::string> expected = split(row["expected"], ',');
  if (metrics.size() != expected.size()) {
    throw std::invalid_argument("metric and expected differ in length");
  }
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::string got = value_of(played, metrics[i]);
    if (got != expected[i]) differences.push_back({machine + metrics[i], expected[i], got});
  }
}

Differences compare_on_machines(const Row& row, Level level, const PermutationToPlay& what) {
  if (row["kind"] != "exact") throw std::invalid_argument("a kind of row that is not known here");
  Differences differences;
  for (const auto& [machine, play] : machines(level)) {
    compare(row, machine, play(what), differences);
  }
  return differences;
}

// WB(8) and B3(4) state the side of their meshes.
void require_side(const std::string& instance, const PermutationNetwork& network) {
  for (const std::string function : {"WB", "B3"}) {
    if (after(instance, function + "(") == nullptr) continue;
    const std::size_t side = seed_in(instance, function);
    const bool square = std::all_of(network.sizes.begin(), network.sizes.end(),
                                    [&](std::size_t size) { return size == side; });
    if (!square) throw std::invalid_argument("an instance for another mesh");
  }
}

Differences at_once(const Row& row, Level level, const std::string& discipline) {
  const PermutationNetwork network = PermutationNetwork::of(row["topology"]);
  require_side(row["instance"], network);
  return compare_on_machines(
      row, level,
      {network, fmt::format("permutation: {}, {}, discipline: {}", instance_text(row["instance"]),
                            network.at_once(), discipline)});
}

Differences fifo(const Row& row, Level level) { return at_once(row, level, "fifo"); }
Differences farthest(const Row& row, Level level) { return at_once(row, level, "farthest"); }
Differences farthest_first(const Row& row, Level level) {
  return at_once(row, level, "farthest_first");
}

// Computes "transpose via g=func(seed=1001)".
Differences via_intermediates(const Row& row, Level level) {
  const std::string& text = row["instance"];
  const std::size_t via = text.find(" via g=");
  if (via == std::string::npos) throw std::invalid_argument("an instance without intermediates");
  const std::string draw = text.substr(via + std::string(" via g=").size());
  const bool function = after(draw, "func") != nullptr;
  return compare_on_machines(
      row, level,
      {PermutationNetwork::of(row["topology"]),
       fmt::format("permutation: {}, algorithm: two_phase, intermediates: {}, "
                   "intermediate_seed: {}, discipline: fifo",
                   instance_text(text.substr(0, via)), function ? "function" : "permutation",
                   seed_in(draw, function ? "func" : "perm"))});
}

std::string as_pairs(const Instance& instance) {
  std::string text;
  for (const Transfer& packet : instance) {
    text += fmt::format("{}{}, {}", text.empty() ? "" : ", ", index(packet.from), index(packet.to));
  }
  return "{pairs: [" + text + "]}";
}

// Computes the bound by the counting argument and plays the instance that attains it.
Differences worst_queue(const Row& row, Level level) {
  if (row["instance"] != "worst case") throw std::invalid_argument("no instance of this category");
  const PermutationNetwork network = PermutationNetwork::of(row["topology"]);
  if (network.sizes.size() > 2) throw std::invalid_argument("XY is for planes");
  const Instance worst = worst_buffer(network.columns(), network.rows());
  Differences differences = compare_on_machines(
      row, level,
      {network, fmt::format("permutation: {}, algorithm: dimension_order, discipline: "
                            "farthest_first",
                            worst.empty() ? "identity" : as_pairs(worst))});
  PermutationPlayed counted;
  counted.max_queue = most_queued_under_xy(network.columns(), network.rows());
  counted.max_held = counted.max_queue - 1;
  compare(row, "counted ", counted, differences);
  return differences;
}

/// A permutation of the mesh that omits every `idle`-th node; 0: none.
std::string with_idle(std::uint64_t seed, std::size_t places, std::size_t idle) {
  Instance instance;
  for (const Transfer& packet : instance_of(random_permutation(seed, places))) {
    if (idle == 0 || index(packet.from) % idle != 0) instance.push_back(packet);
  }
  return as_pairs(instance);
}

Differences off_line(const Row& row, Level level) {
  if (row["instance"] != "any" && row["instance"] != "any complete/partial permutation") {
    throw std::invalid_argument("no instance of this category");
  }
  const PermutationNetwork network = PermutationNetwork::of(row["topology"]);
  const bool is_bound = row["metric"] == "T<=" && row["kind"] == "upper";
  if (!is_bound && row["kind"] != "exact") throw std::invalid_argument("no kind of this category");
  Differences differences;
  for (const auto& [machine, play] : machines(level)) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const std::size_t idle = seed < 3 ? 0 : seed;  // The first two are complete permutations.
      const char* colouring = seed % 2 == 0 ? "euler_split" : "alternating_paths";
      const PermutationPlayed played =
          play({network,
                fmt::format("permutation: {}, algorithm: off_line, colouring: {}",
                            with_idle(seed, network.columns() * network.rows(), idle), colouring)});
      if (!is_bound) compare(row, machine, played, differences);
      const std::size_t most = std::max(played.steps, played.bound);
      if (is_bound && (most > to_count(row["expected"]) || !played.agrees)) {
        differences.push_back({machine + row["metric"], row["expected"], std::to_string(most)});
      }
      if (!differences.empty()) return differences;
    }
  }
  return differences;
}

Differences by_sorting(const Row& row, Level level) {
  const bool known =
      row["instance"] == "column-major snake" || row["instance"] == "fixed phase lengths";
  if (!known) throw std::invalid_argument("no instance of this category");
  return compare_on_machines(
      row, level,
      {PermutationNetwork::of(row["topology"]), "permutation: {random: 1}, algorithm: shearsort"});
}

/// Computes a mean over random runs on the step machine; the network must agree with it in the
/// first few.
Differences mean(const Row& row, Level level, const std::string& metric,
                 const PermutationToPlay& what) {
  if (row["metric"] != metric || row["kind"] != "stat") {
    throw std::invalid_argument("no metric of this category");
  }
  constexpr std::size_t kRuns = 300;
  const double expected = std::stod(row["expected"]);
  const double got = mean_steps(what, kRuns);
  Differences differences;
  if (std::abs(got - expected) > std::stod(row["tolerance"])) {
    differences.push_back({metric, fmt::format("{} +- {}", row["expected"], row["tolerance"]),
                           fmt::format("{:.3f}", got)});
  }
  const bool plays = level == Level::kNetwork || level == Level::kBoth;
  if (plays && play_on_network(what).steps != play_on_paper(what).steps) {
    differences.push_back({"network T", "the steps of the paper", "others"});
  }
  return differences;
}

Differences mean_over_intermediates(const Row& row, Level level) {
  const std::vector<std::string> parts = split(row["instance"], ',');
  const bool known = parts.size() == 4 && parts[2] == " FIFO" && parts[3] == " barrier" &&
                     (parts[1] == " independent random intermediates" ||
                      parts[1] == " random PERMUTATION as intermediates");
  if (!known) throw std::invalid_argument("no instance of this category");
  const bool function = parts[1] == " independent random intermediates";
  return mean(row, level, "mean(T1+T2)",
              {PermutationNetwork::of(row["topology"]),
               fmt::format("permutation: {}, algorithm: two_phase, intermediates: {}, "
                           "discipline: fifo",
                           instance_text(parts[0]), function ? "function" : "permutation")});
}

Differences mean_over_permutations(const Row& row, Level level) {
  if (row["instance"] != "uniform random permutations, FF") {
    throw std::invalid_argument("no instance of this category");
  }
  return mean(row, level, "mean T",
              {PermutationNetwork::of(row["topology"]),
               "permutation: {random: 1}, algorithm: dimension_order, discipline: farthest_first"});
}

Differences mean_over_rows(const Row& row, Level level) {
  return mean(
      row, level, "mean(T1+T2+T3)",
      {PermutationNetwork::of(row["topology"]),
       fmt::format("permutation: {}, algorithm: three_phase", instance_text(row["instance"]))});
}

using Verifier = Differences (*)(const Row& row, Level level);

const std::map<std::string, Verifier>& verifies() {
  static const std::map<std::string, Verifier> verifies{
      {"hypercube_fifo", fifo},
      {"hypercube_farthest", farthest},
      {"hypercube_valiant_fifo", via_intermediates},
      {"butterfly_fifo", fifo},
      {"line_ff_many_to_one", farthest_first},
      {"line_ff_perm", farthest_first},
      {"xy_max_queue_any_perm", worst_queue},
      {"xy_worst_instance", farthest_first},
      {"xy_ff_perm", farthest_first},
      {"xy_ff_func", farthest_first},
      {"dor3d_bad", farthest_first},
      {"dor3d_ff_perm", farthest_first},
      {"offline_bound", off_line},
      {"shearsort_steps", by_sorting},
      {"sortroute_total", by_sorting},
      {"stat_valiant_cube", mean_over_intermediates},
      {"stat_xy_random_perm", mean_over_permutations},
      {"stat_rand3", mean_over_rows},
  };
  return verifies;
}

}  // namespace

Verdict permutation_row(const Row& row, Level level) {
  return Verdict::of(verifies().at(row["category"])(row, level));
}

}  // namespace flitcast::conformance
