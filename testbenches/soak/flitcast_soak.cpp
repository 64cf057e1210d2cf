// SPDX-License-Identifier: Apache-2.0
// Runs each experiment in every implementation and reports whether all results are equal.
//
// usage: flitcast-soak FILE...
// Standard output: a line of JSON per file: {"file", "outcome", "what", "flits", "runs"}. Outcomes:
//   same     every implementation gave the result of the plain run
//   refused  bad input, with a hint for every problem
//   long     too many router-cycles for this program
//   failed   any other case, described by `what`

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>

#include "config/problem.h"
#include "sim/experiment/model.h"
#include "sim/results/result.h"
#include "sim/sweep/sweep.h"
#include "soak/child.h"
#include "soak/variants.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

/// Maximum of routers times cycles of a run.
constexpr double kMostRouterCycles = 4e6;
constexpr unsigned kMostSeconds = 60;

ordered_json outcome(const char* name, const std::string& what = "") {
  return {{"outcome", name}, {"what", what}};
}

// The drain of a plan is an upper limit; most runs end much earlier.
double router_cycles(const Model& model, const MeasurementPlan& plan) {
  const double cycles = static_cast<double>(plan.warmup) + static_cast<double>(plan.window) +
                        static_cast<double>(plan.drain_limit) / 10;
  return cycles * static_cast<double>(model.topology().router_count());
}

double router_cycles_of(const ordered_json& result) {
  return result.at("cycles").get<double>() * result.at("topology").at("routers").get<double>();
}

ordered_json refusal(const ConfigError& error) {
  for (const Problem& problem : error.problems()) {
    if (problem.what.empty() || problem.hint.empty()) {
      return outcome("failed", "a problem without a hint: " + problem.text());
    }
  }
  return outcome("refused", error.what());
}

/// The part of a result that must be equal in all implementations.
ordered_json result_of(const Model& model, const Configuration& configuration,
                       const MeasurementPlan& plan) {
  const Measurement measurement = measure(model, plan, [](const auto&, auto, auto) {});
  ordered_json result = to_json(measurement, configuration, model, 0);
  for (const char* key : {"config", "host", "wall_seconds", "digest"}) result.erase(key);
  return result;
}

/// Runs an experiment in one implementation; the caller forks a process for it.
ordered_json play(const std::string& file, const RunVariant& variant) {
  try {
    const Configuration configuration =
        point_of(Sweep(file, {}, experiment_schema()), std::nullopt);
    Model model = make_model(configuration, true);
    MeasurementPlan plan = measurement_plan(configuration);
    const double cycles = router_cycles(model, plan);
    if (cycles > kMostRouterCycles) return outcome("long");
    if (!variant.fits(model) || cycles > variant.most_router_cycles) return outcome("does not fit");
    variant.apply(model);
    return {{"outcome", "ran"}, {"result", result_of(model, configuration, plan)}};
  } catch (const ConfigError& error) {
    return refusal(error);
  } catch (const std::exception& error) {
    return outcome("failed", error.what());
  }
}

ordered_json play_apart(const std::string& file, const RunVariant& variant) {
  const RunEnd end = in_child(kMostSeconds, [&] { return play(file, variant).dump(); });
  if (end.died.empty()) return ordered_json::parse(end.said);
  return outcome("failed", end.died);
}

/// Returns the first difference of two results outside of the `untold` figures, or an empty text.
std::string difference(const ordered_json& expected, const ordered_json& seen,
                       const std::vector<const char*>& untold) {
  for (const auto& change : ordered_json::diff(expected, seen)) {
    const std::string path = change["path"];
    const bool counts = std::none_of(untold.begin(), untold.end(), [&](const std::string figure) {
      return path.compare(0, figure.size(), figure) == 0;
    });
    if (counts) return change.dump();
  }
  return "";
}

ordered_json verdict_on(const std::string& file) {
  ordered_json verdict = outcome("same");
  ordered_json plain;
  std::size_t runs = 0;
  for (const RunVariant& variant : run_variants()) {
    const ordered_json seen = play_apart(file, variant);
    const std::string how = seen["outcome"];
    if (how == "does not fit") continue;
    if (how != "ran") {
      verdict =
          outcome(how.c_str(), std::string(variant.name) + ": " + seen["what"].get<std::string>());
      break;
    }
    ++runs;
    if (plain.is_null()) plain = seen["result"];
    // Idle cycles cost nothing in the plain run, and much time in variants whose routers do not
    // sleep.
    if (router_cycles_of(plain) > kMostRouterCycles) return outcome("long");
    // Without access to the state of routers, only a watchdog detects a deadlock, and later.
    if (plain["status"] == "deadlock" && !variant.untold.empty()) continue;
    const std::string other = difference(plain, seen["result"], variant.untold);
    if (other.empty()) continue;
    verdict = outcome("failed", std::string(variant.name) + " gives another result: " + other);
    break;
  }
  verdict["runs"] = runs;
  if (!plain.is_null()) verdict["flits"] = plain["flits"]["ejected"];
  if (!plain.is_null()) verdict["status"] = plain["status"];
  return verdict;
}

}  // namespace

}  // namespace flitcast

int sc_main(int argc, char* argv[]) {
  for (int k = 1; k < argc; ++k) {
    nlohmann::ordered_json line{{"file", argv[k]}};
    line.update(flitcast::verdict_on(argv[k]));
    std::cout << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << std::endl;
  }
  return 0;
}
