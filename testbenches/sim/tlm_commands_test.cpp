// SPDX-License-Identifier: Apache-2.0
// `flitcast tlm ...`: what it prints about files of interconnects and writes of their transactions.
#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

const std::string kFile =
    "clock: 500 MHz\n"
    "topology: {kind: mesh, sizes: [3, 3]}\n"
    "router: {virtual_channels: 4}\n"
    "routing: {kind: dimension_order}\n"
    "tlm: {initiators: [0, 2], targets: [8], windows: 0x1000 4K 0}\n";

Outcome tlm(const Folder& folder, Arguments arguments) {
  arguments.insert(arguments.begin(), "tlm");
  return run(folder.path(), arguments);
}

struct Tried : Folder {
  explicit Tried(const std::string& text = kFile) { write("net.yaml", text); }

  Json figures(Arguments more = {}) const {
    more.insert(more.begin(), {"run", "net.yaml", "--json", "--transactions", "40"});
    const Outcome outcome = tlm(*this, more);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
    return Json::parse(outcome.out);
  }
};

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("flitcast tlm check describes an interconnect without a run") {
  const Tried tried;
  const Outcome outcome = tlm(tried, {"check", "net.yaml"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out ==
        "net.yaml: valid\n"
        "  network   mesh 3x3, 9 nodes\n"
        "  sides     initiators 2, targets 1, windows 1\n"
        "  clock     2 ns\n");
}

TEST_CASE("flitcast tlm check names every problem at its own line") {
  const Tried tried(
      "topology: {kind: mesh, sizes: [3, 3]}\n"
      "router: {virtual_channels: 4}\n"
      "routing: {kind: dimension_order}\n"
      "tlm:\n"
      "  initiators: [0, 9]\n"
      "  targets: [10]\n"
      "  windows: 0 4K 1\n");
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = tlm(tried, {command, "net.yaml"});
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(says(outcome.err, "net.yaml:5:"));
    CHECK(says(outcome.err, "initiator 1 is at node 9"));
    CHECK(says(outcome.err, "net.yaml:6:"));
    CHECK(says(outcome.err, "target 0 is at node 10"));
    CHECK(says(outcome.err, "net.yaml:7:"));
    CHECK(says(outcome.err, "tlm.windows: "));
  }
}

TEST_CASE("flitcast tlm run has every initiator make the transactions that the options ask for") {
  const Tried tried;
  const Json figures = tried.figures({"--bytes", "32", "--reads", "100"});
  for (const Json& side : figures.at("initiators")) {
    CHECK(side.at("transactions") == 40);
    CHECK(side.at("reads") == 40);
    CHECK(side.at("bytes") == 40 * 32);
    CHECK(side.at("errors") == 0);
  }
  CHECK(figures.at("targets")[0].at("transactions") == 80);
  CHECK(figures.at("network").at("packets") == 160);
  CHECK(tried.figures({"--reads", "0"}).at("initiators")[0].at("writes") == 40);
  CHECK(tried.contents() == std::vector<std::string>{"net.yaml"});
}

TEST_CASE("flitcast tlm run gives the same figures for the same seed, and others for another") {
  const Tried tried;
  CHECK(tried.figures() == tried.figures());
  CHECK(tried.figures() != tried.figures({"--seed", "2"}));
}

TEST_CASE("a longer pause of flitcast tlm run takes longer and loads the links less") {
  const Tried tried;
  const Json dense = tried.figures({"--pause", "0"});
  const Json sparse = tried.figures({"--pause", "1000"});
  CHECK(sparse.at("network").at("cycles").get<double>() >
        10 * dense.at("network").at("cycles").get<double>());
  CHECK(sparse.at("network").at("flit_hops") > 0);
  // Without pauses a transaction begins where the one before ends.
  const Json& side = dense.at("initiators")[0];
  CHECK(side.at("span_ns").get<double>() >= 40 * side.at("latency_ns").at("mean").get<double>());
  CHECK(side.at("span_ns").get<double>() < 41 * side.at("latency_ns").at("max").get<double>());
}

TEST_CASE("flitcast tlm run writes a row or a record for every transaction") {
  const Tried tried;
  tried.figures({"--csv", "all.csv", "--scv", "all.txlog"});
  CHECK(lines_in(tried.read("all.csv")) == 1 + 80);
  CHECK(lines_in(tried.read("all.txlog")) == 2 * (1 + 3 * 2) + 80 * 5);
  const Outcome refused = tlm(tried, {"run", "net.yaml", "--csv", "net.yaml"});
  CHECK(refused.exit_code == 2);
  CHECK(says(refused.err, "--csv"));
  CHECK(says(refused.err, "would be lost"));
  CHECK(tried.read("net.yaml") == kFile);
}

TEST_CASE("flitcast tlm keys and schema have the keys of interconnect files") {
  const Tried tried;
  CHECK(says(tlm(tried, {"keys"}).out, "tlm.windows"));
  CHECK(says(tlm(tried, {"keys"}).out, "clock"));
  const Json keys = Json::parse(tlm(tried, {"keys", "--json"}).out);
  CHECK(std::any_of(keys.begin(), keys.end(),
                    [](const Json& key) { return key.at("name") == "tlm.timing"; }));
  const Json schema = Json::parse(tlm(tried, {"schema"}).out);
  CHECK(schema.at("title") == "flitcast interconnect");
  CHECK(schema.at("properties").at("tlm").at("properties").contains("outstanding"));
}

TEST_CASE("an override of a key of an interconnect has its effect, and a wrong one is refused") {
  const Tried tried;
  const Json cycle = tried.figures().at("initiators")[0];
  const Json ideal = tried.figures({"--set", "tlm.timing=ideal"}).at("initiators")[0];
  CHECK(cycle.at("latency_cycles").at("max") > 0);
  CHECK(ideal.at("latency_cycles").at("max") == 0);
  const std::string told =
      refusal(tried, {"tlm", "check", "net.yaml", "--set", "tlm.timing=never"});
  CHECK(says(told, "--set tlm.timing=never: tlm.timing:"));
}

TEST_CASE("a time-out of flitcast tlm run is a problem of its key, and nothing is written") {
  const Tried tried;
  const std::string told =
      refusal(tried, {"tlm", "run", "net.yaml", "--set", "tlm.timeout=5", "--csv", "all.csv"});
  CHECK(says(told, "tlm.timeout: "));
  CHECK(says(told, "raise it"));
}

TEST_CASE("a signal ends flitcast tlm run, and no file is left") {
  const Tried tried;
  Process process(tried.path(), {"tlm", "run", "net.yaml", "--transactions", "1000000000",
                                 "--pause", "1", "--csv", "all.csv"});
  process.wait_for_handler(SIGINT);
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  CHECK(outcome.exit_code == 128 + SIGINT);
  CHECK(outcome.out.empty());
  CHECK(tried.contents() == std::vector<std::string>{"net.yaml"});
}
