// SPDX-License-Identifier: Apache-2.0
// Requirements on every workload of the catalog, tested on the examples of its entry.
#include "sim/experiment/workload.h"

#include <algorithm>

#include "collective/catalog.h"
#include "config/configuration.h"
#include "sim/experiment/model.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Returns a mesh with a workload of this kind, as an example describes it.
Configuration experiment(const std::string& kind, const std::string& example) {
  const std::string workload = "{kind: " + kind + (example.empty() ? "" : ", " + example) + "}";
  const std::string text =
      "topology: {kind: mesh, sizes: [4, 4]}\n"
      "routing: {kind: dimension_order}\nworkload: " +
      workload + "\n";
  return validate(parse_document(text, "example.yaml"), experiment_schema());
}

}  // namespace

TEST_CASE("every workload has examples that its parameters accept", "[sim]") {
  for (const WorkloadEntry& entry : workloads()) {
    INFO(entry.name);
    CHECK_FALSE(entry.summary.empty());
    CHECK_FALSE(entry.examples.empty());
    for (const std::string& example : entry.examples) {
      const Configuration configuration = experiment(entry.name, example);
      CHECK(&workload_entry(configuration) == &entry);
    }
  }
}

TEST_CASE("every algorithm of every operation has all the keys that it reads", "[sim]") {
  std::size_t keys = 0;
  for (const OperationName& operation : operations()) {
    for (const CollectiveEntry& algorithm : collectives()) {
      if (!algorithm.carries_out(operation.operation)) continue;
      INFO(operation.name << " by " << algorithm.name);
      const Section workload =
          experiment("collective",
                     "operation: " + std::string(operation.name) + ", algorithm: " + algorithm.name)
              .section("workload");
      for (const Param& param : algorithm.params()) {
        if (!param.when.all.empty()) continue;  // Controlled by another key.
        CHECK(workload.has(param.key));
        ++keys;
      }
    }
  }
  CHECK(keys > 0);
}

TEST_CASE("every workload says what it is and what its progress is called", "[sim]") {
  for (const WorkloadEntry& entry : workloads()) {
    for (const std::string& example : entry.examples) {
      INFO(entry.name << " " << example);
      const Configuration configuration = experiment(entry.name, example);
      const Model made = make_unplayed(configuration);
      CHECK_FALSE(made.workload->text().empty());
      CHECK_FALSE(std::string(made.workload->phase()).empty());
      CHECK_FALSE(made.workload->cycles());
    }
  }
}

TEST_CASE("a workload adds only figures that its entry explains", "[sim]") {
  for (const WorkloadEntry& entry : workloads()) {
    for (const std::string& example : entry.examples) {
      INFO(entry.name << " " << example);
      const Configuration configuration = experiment(entry.name, example);
      nlohmann::ordered_json result = nlohmann::ordered_json::object();
      make_unplayed(configuration).workload->add_figures(result);
      if (result.empty()) continue;
      const auto flat = result.flatten();
      for (const auto& [pointer, value] : flat.items()) {
        const bool known = std::any_of(entry.figures.begin(), entry.figures.end(),
                                       [&, path = pointer](const auto& figure) {
                                         std::string prefix = "/" + figure.name;
                                         std::replace(prefix.begin(), prefix.end(), '.', '/');
                                         return path == prefix || path.rfind(prefix + "/", 0) == 0;
                                       });
        INFO(pointer);
        CHECK(known);
      }
    }
  }
}
