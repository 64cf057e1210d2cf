// SPDX-License-Identifier: Apache-2.0
// Finds the largest load that a network carries, by bisection.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "sim/sweep/search.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

// The latency of a saturated run grows with its window, so it is not compared.
bool latency_is_over(const Section& search, const ordered_json& lowest,
                     const ordered_json& result) {
  const auto mean = [](const ordered_json& of) {
    return of.at("latency_cycles").at("mean").get<double>();
  };
  if (result.at("status") == "saturated" || !result.contains("latency_cycles")) return true;
  return mean(result) >= search.number("factor") * mean(lowest);
}

bool accepts_too_little(const Section& search, const ordered_json&, const ordered_json& result) {
  const auto offered = result.at("offered_flits_per_node_cycle").get<double>();
  const auto accepted = result.at("accepted_flits_per_node_cycle").at("mean").get<double>();
  return accepted < search.number("share") * offered;
}

/// The midpoint of two values, as a user would write it.
double middle(double a, double b) { return std::stod(fmt::format("{:.9g}", (a + b) / 2)); }

/// Bisection between two values; at the lower one the network must not be saturated.
class Bisection {
 public:
  Bisection(const Section& search, const Trial& trial)
      : search_(search),
        trial_(trial),
        is_over_(saturation_rules().find(search.text("rule"))->make) {
    finding_.below = search.number("from");
    finding_.above = search.number("to");
  }

  Finding run() {
    const ordered_json lowest = trial_(finding_.below);
    const bool over = lowest.at("status") == "saturated";
    finding_.trials.push_back({finding_.below, over, lowest});
    if (over) {
      finding_.reason = "the network is saturated at search.from already";
    } else if (!lowest.contains("latency_cycles")) {
      finding_.reason = "nothing was measured at search.from: raise it, or measure.window";
    } else {
      narrow();
    }
    return std::move(finding_);
  }

 private:
  // Runs the upper end last, and only if no lower value is saturated, because it takes the longest.
  void narrow() {
    while (finding_.above - finding_.below > search_.number("precision") * finding_.above) {
      const double tried = middle(finding_.below, finding_.above);
      (try_value(tried) ? finding_.above : finding_.below) = tried;
    }
    finding_.value = middle(finding_.below, finding_.above);
    const double to = search_.number("to");
    if (finding_.above < to || try_value(to)) return;
    finding_.reason = fmt::format("the network is not saturated at search.to, {:g}", to);
  }

  bool try_value(double value) {
    ordered_json result = trial_(value);
    const bool over = is_over_(search_, finding_.trials.front().result, result);
    finding_.trials.push_back({value, over, std::move(result)});
    return over;
  }

  const Section& search_;
  const Trial& trial_;
  const SaturationRule is_over_;
  Finding finding_;
};

Finding find_saturation(const Section& search, const Trial& trial) {
  return Bisection(search, trial).run();
}

std::vector<Param> saturation_keys() {
  constexpr double kMost = 1e9;
  std::vector<Param> keys{
      Param::text("key", "The key whose value is searched, by its full name; most often the load.")
          .defaults_to("workload.load"),
      Param::number("from", "",
                    "The lowest value: an idle network. A point of a sweep is dumped with it.", 0,
                    kMost)
          .defaults_to(0.01),
      Param::number("to", "", "The highest value.", 0, kMost).defaults_to(1),
      Param::number("precision", "",
                    "The search ends when the values on both sides of saturation differ by this "
                    "share.",
                    1e-5, 0.5)
          .defaults_to(0.01),
  };
  const Param rule =
      Param::choice("rule", "When a run is saturated.").defaults_to(saturation_rules()[0].name);
  for (Param& param : catalog_params(rule, saturation_rules())) keys.push_back(std::move(param));
  return keys;
}

}  // namespace

const Catalog<CatalogEntry<SaturationRule>>& saturation_rules() {
  static const Catalog<CatalogEntry<SaturationRule>> catalog{
      {"latency",
       "Mean latency of `factor` times that at search.from, or status saturated.",
       {Param::number("factor", "",
                      "The multiple of the mean latency at search.from that is too much.", 1.01,
                      1000)
            .defaults_to(3)},
       latency_is_over},
      {"accepted",
       "The network accepts less than a share of what it is offered.",
       {Param::number("share", "", "Accepted of offered flits, in the window.", 0.01, 1)
            .defaults_to(0.98)},
       accepts_too_little}};
  return catalog;
}

CatalogEntry<SearchMaker> saturation_search() {
  return {"saturation", "The load at which the network saturates, by bisection.", saturation_keys,
          find_saturation};
}

}  // namespace flitcast
