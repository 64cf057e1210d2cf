// SPDX-License-Identifier: Apache-2.0
// Crossovers predicted by theory appear in measured cycles: every point of the examples that sweep
// collectives.
#include <map>

#include "collective.h"

using namespace flitcast::program;

namespace {

/// Returns the measured cycles of every point, by the values of the swept keys in the order of the
/// file, as JSON: `["wormhole",20,"ho_kao"]`. Checks that each equals the analytic time.
std::map<std::string, std::uint64_t> cycles_of(const std::string& example) {
  const Folder folder;
  const std::string file = FLITCAST_SOURCE "/sim/examples/" + example;
  std::map<std::string, std::uint64_t> cycles;
  const Json points = Json::parse(run(folder.path(), {"points", file, "--json"}).out);
  for (const Json& point : points) {
    const Json result = result_of(folder.path(), file, {"--point", point["point"].dump()});
    Json values = Json::array();
    for (const Json& value : point["values"]) values.push_back(value);
    INFO(values.dump());
    CHECK(measured(result) == analytic(result));
    cycles[values.dump()] = measured(result);
  }
  return cycles;
}

}  // namespace

TEST_CASE("the seed's rule loses a round only where it goes the shorter way first", "[program]") {
  const auto cycles = cycles_of("crossover_rule.yaml");
  constexpr std::uint64_t kRound = 20 + 5 + 16;
  for (const int source : {0, 2, 5, 7, 10, 12, 19}) {
    INFO("source " << source);
    const auto with = [&](const char* rule) {
      return cycles.at("[" + std::to_string(source) + ",\"" + rule + "\"]");
    };
    CHECK(with("seed") - with("farthest") == (source / 5 == 1 ? kRound : 0));
  }
  CHECK(cycles.at("[7,\"farthest\"]") == 5 * kRound);
  CHECK(cycles.at("[7,\"seed\"]") == 6 * kRound);
}

TEST_CASE("stored packets make the longer paths lose with the length of the message, wormholes not",
          "[program]") {
  const auto cycles = cycles_of("crossover_length.yaml");
  const auto order = [&](const char* router, int length) {
    const auto with = [&](const char* algorithm) {
      return cycles.at("[\"" + std::string(router) + "\"," + std::to_string(length) + ",\"" +
                       algorithm + "\"]");
    };
    const auto sign = [](std::uint64_t a, std::uint64_t b) {
      return a < b ? '<' : a > b ? '>' : '=';
    };
    return std::string{sign(with("ho_kao"), with("double_tree")),
                       sign(with("double_tree"), with("binomial_tree"))};
  };
  for (const int length : {20, 45, 70, 95, 120}) CHECK(order("wormhole", length) == "<<");
  CHECK(order("store_and_forward", 20) == "<<");
  CHECK(order("store_and_forward", 45) == "=<");
  CHECK(order("store_and_forward", 70) == "><");
  CHECK(order("store_and_forward", 95) == ">=");
  CHECK(order("store_and_forward", 120) == ">>");
}

TEST_CASE("long wires make the double tree faster than Ho-Kao, longer ones the binomial tree",
          "[program]") {
  const auto cycles = cycles_of("crossover_distance.yaml");
  const auto with = [&](int latency, const char* algorithm) {
    return cycles.at("[" + std::to_string(latency) + ",\"" + algorithm + "\"]");
  };
  CHECK(with(1, "ho_kao") < with(1, "double_tree"));
  CHECK(with(16, "ho_kao") == with(16, "double_tree"));
  CHECK(with(26, "ho_kao") > with(26, "double_tree"));
  CHECK(with(26, "double_tree") < with(26, "binomial_tree"));
  CHECK(with(36, "double_tree") == with(36, "binomial_tree"));
  CHECK(with(46, "double_tree") > with(46, "binomial_tree"));
}
