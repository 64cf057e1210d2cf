// SPDX-License-Identifier: Apache-2.0
// The search alone, with formulas in place of runs.
#include "sim/sweep/search.h"

#include <cmath>
#include <vector>

#include "observed.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

using Json = nlohmann::ordered_json;

constexpr double kIdle = 20;

Configuration searching(const std::string& keys) {
  return configuration_of(
      "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
      "workload: {kind: traffic}\nsearch: {find: saturation" +
      keys + "}\n");
}

/// Result of a queue that saturates at `capacity`: its latency is 20 / (1 - load / capacity), and
/// from `capacity` on its status is saturated.
Json queue(double load, double capacity) {
  const bool over = load >= capacity;
  return {{"id", "x"},
          {"status", over ? "saturated" : "ok"},
          {"latency_cycles", {{"mean", over ? 1e4 : kIdle / (1 - load / capacity)}}},
          {"offered_flits_per_node_cycle", load},
          {"accepted_flits_per_node_cycle", {{"mean", std::min(load, capacity)}}}};
}

Json found(const std::string& keys, double capacity) {
  return search_result(searching(keys), [=](double load) { return queue(load, capacity); });
}

}  // namespace

TEST_CASE(
    "by the rule of latency the load is found at which it is so many times that of the lowest",
    "[sim]") {
  for (const double capacity : {0.05, 0.3, 0.77}) {
    for (const double factor : {1.5, 3.0}) {
      const Json result = found(", factor: " + std::to_string(factor), capacity);
      const double lowest = kIdle / (1 - 0.01 / capacity);
      const double exact = capacity * (1 - kIdle / (factor * lowest));
      const Json& saturation = result["saturation"];
      INFO("capacity " << capacity << ", factor " << factor << ": " << saturation);
      CHECK(result["status"] == "ok");
      CHECK(saturation["below"] <= exact);
      CHECK(saturation["above"] >= exact);
      CHECK(std::abs(saturation["value"].get<double>() - exact) <= 0.01 * exact);
    }
  }
}

TEST_CASE("by the rule of accepted load it is found where a share of the offer is lost", "[sim]") {
  const Json result = found(", rule: accepted, share: 0.8, precision: 0.001", 0.4);
  CHECK(std::abs(result["saturation"]["value"].get<double>() - 0.5) < 0.0005);
  CHECK(result["saturation"]["accepted_flits_per_node_cycle"] == 0.4);
}

TEST_CASE("a search halves: its runs are as many as that takes, and the costly end is not one",
          "[sim]") {
  const Json result = found(", from: 0.1, to: 0.9, precision: 0.01", 0.3);
  // The runs are one at the lowest load, and bisections of 0.8 down to a hundredth of about 0.2.
  CHECK(result["saturation"]["runs"] == 1 + std::ceil(std::log2(0.8 / 0.002)));
  CHECK(result["trials"].size() == result["saturation"]["runs"]);
  for (const Json& trial : result["trials"]) CHECK(trial["value"] != 0.9);
}

TEST_CASE("a search that finds nothing says why: exit code 3 by its status", "[sim]") {
  const Json calm = found(", to: 0.2", 0.9);
  CHECK(calm["status"] == "unmeasured");
  CHECK(calm["reason"] == "the network is not saturated at search.to, 0.2");
  CHECK_FALSE(calm["saturation"].contains("value"));
  CHECK(found("", 0.005)["reason"] == "the network is saturated at search.from already");
  const Json silent = search_result(searching(""), [](double) {
    return Json{{"status", "unmeasured"}, {"complete", true}};
  });
  CHECK(silent["reason"] == "nothing was measured at search.from: raise it, or measure.window");
}

TEST_CASE("the upper end is looked at if nothing below it is saturated", "[sim]") {
  const Json result = found(", to: 0.4, rule: accepted, share: 1, precision: 0.1", 0.399);
  CHECK(result["saturation"]["above"] == 0.4);
}
