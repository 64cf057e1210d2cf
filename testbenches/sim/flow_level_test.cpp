// SPDX-License-Identifier: Apache-2.0
// run.level: flow beside a run of flits; for networks of flows see network/flow_network_test.cpp.
#include "experiment.h"
#include "folder.h"
#include "result.h"

using namespace flitcast::program;

namespace {

/// An all-reduce whose messages share channels of a torus.
Experiment crowded(const std::string& more) {
  return {"{kind: torus, sizes: [4, 4]}", "{kind: dimension_order}",
          "{kind: collective, operation: all_reduce, algorithm: rabenseifner, length: 512, timing: "
          "self_timed}",
          "{watchdog: 2000}", more};
}

Json result(const std::string& more, const Arguments& options = {}) {
  const Folder folder;
  folder.write("x.yaml", crowded(more).text());
  return result_of(folder.path(), "x.yaml", options);
}

std::string refusal_of_both(const Experiment& experiment) {
  const Folder folder;
  folder.write("x.yaml", experiment.text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml", "--both"});
  CHECK(outcome.exit_code == 2);
  return outcome.err;
}

}  // namespace

TEST_CASE("a run at both levels states the cycles of either and their difference", "[program]") {
  const Json flits = result("");
  const Json flows = result("run: {level: flow}");
  const Json both = result("", {"--both"});
  CHECK(flits.at("completion_cycle") != flows.at("completion_cycle"));
  CHECK(both.at("completion_cycle") == flits.at("completion_cycle"));
  CHECK(both.at("checksum") == flits.at("checksum"));
  CHECK(both.at("flow").at("cycles") == flows.at("completion_cycle"));
  const auto of_flits = flits.at("completion_cycle").get<double>();
  const double more = flows.at("completion_cycle").get<double>() - of_flits;
  CHECK(both.at("flow").at("error_percent").get<double>() == Approx(more / of_flits * 100));
  CHECK_FALSE(flits.contains("flow"));
}

TEST_CASE("both levels are for one run of flits that ends", "[program]") {
  CHECK(
      refusal_of_both(crowded("sweep: {workload.length: [1, 2]}")) ==
      "--both: a sweep or a search has several runs; choose one by --point, or sweep run.level\n");
  CHECK(refusal_of_both(crowded("run: {level: flow}")) ==
        "--both: it compares flows with a run of flits; leave out search and run.level\n");
  CHECK(refusal_of_both(Experiment{}) ==
        "--set run.level=flow: run.level: flows carry workloads that end, this one does not; set "
        "run.level: flit\n");
}
