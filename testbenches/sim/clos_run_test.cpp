// SPDX-License-Identifier: Apache-2.0
// Experiments on Clos networks: circuits and packets under central control, and multicast packets.
#include <algorithm>
#include <string>
#include <vector>

#include "experiment.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

/// Returns v(m, 4, 4); Theorem 3 requires m = 13.
std::string clos(int middle_switches) {
  return "{kind: clos, ports: [4], middle_switches: [" + std::to_string(middle_switches) +
         "], switches: 4}";
}

Experiment multicasts(int middle_switches, const std::string& router, const std::string& workload) {
  return {clos(middle_switches), "{kind: central_control}",
          "{kind: clos_requests, " + workload + "}", "{warmup: 500, window: 10000}",
          "router: {" + router + "}"};
}

const char* const kPackets = "kind: wormhole, virtual_channels: 1, buffer_depth: 4";
const std::string kLight = "load: 0.01, packet_length: 5";
/// Packets are so long that many connections exist at the same time.
const std::string kHeavy = "load: 0.3, packet_length: 50";

Json result(const Experiment& experiment, const Arguments& more = {}, int exit_code = 0) {
  const Folder folder;
  folder.write("x.yaml", experiment.text());
  return result_of(folder.path(), "x.yaml", more, exit_code);
}

std::uint64_t count(const Json& json, const char* key) { return json.at(key).get<std::uint64_t>(); }

std::string said_about(const Experiment& experiment) {
  const Folder folder;
  folder.write("x.yaml", experiment.text());
  return refusal(folder, {"run", "x.yaml"});
}

void check_says(const Experiment& experiment, const std::vector<std::string>& texts) {
  const std::string said = said_about(experiment);
  for (const std::string& text : texts) {
    INFO(experiment.text() << "\nsays  " << said << "\nnot   " << text);
    CHECK(said.find(text) != std::string::npos);
  }
  CHECK(std::count(said.begin(), said.end(), '\n') == static_cast<long>(texts.size()));
}

}  // namespace

TEST_CASE("multicasts at low load arrive at once and repeat with any threads", "[program]") {
  const std::string router = GENERATE(as<std::string>{}, kPackets, "kind: circuit");
  const Experiment light = multicasts(13, router, kLight);
  const Json one = result(light);
  CHECK(one.at("status") == "ok");
  CHECK(count(one.at("packets"), "delivered") > count(one.at("packets"), "created"));
  CHECK(one.at("hops_mean") == 3.0);
  CHECK(result(light, {"--set", "run.threads=2"}).at("checksum") == one.at("checksum"));
}

TEST_CASE("what a Clos network costs is its crosspoints, and buffers if it has any", "[program]") {
  CHECK(result(multicasts(13, "kind: circuit", kLight)).at("cost").dump() ==
        R"({"crosspoints":624})");
  // Crosspoints are 4 * 4 inputs of input switches, 13 * 4 and 4 * 13 of the others; each buffer
  // has 4 flits.
  CHECK(result(multicasts(13, kPackets, kLight)).at("cost").dump() ==
        R"({"crosspoints":624,"buffer_flits":480})");
}

TEST_CASE("the border of a mesh costs no crosspoints", "[program]") {
  const Experiment mesh{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                        "{kind: traffic, load: 0.01, packet_length: 5}",
                        "{warmup: 100, window: 1000}", "router: {" + std::string(kPackets) + "}"};
  // Including the node's port, 4 routers have 3 ports, 8 have 4 and 4 have 5; each of 64 inputs has
  // 4 flits.
  CHECK(result(mesh).at("cost").dump() == R"({"crosspoints":264,"buffer_flits":256})");
}

TEST_CASE("with m of Theorem 3 no request waits for a path", "[program]") {
  const Arguments limit{"--set", "routing.pass_limit=theorem3"};
  const Json circuits = result(multicasts(13, "kind: circuit", kHeavy), limit, 3).at("circuit");
  CHECK(count(circuits, "granted") > 1000);
  CHECK(circuits.at("blocked") == 0);
  CHECK(circuits.at("wait_cycles").at("path") == 0);
  CHECK(count(circuits.at("wait_cycles"), "outputs") > 0);
  const Json control = result(multicasts(13, kPackets, kHeavy), limit, 3).at("control");
  CHECK(count(control, "admitted") > 1000);
  CHECK(control.at("waited_for_path") == 0);
  CHECK(count(control, "most_passes") <= 2);  // x of Theorem 3.
}

TEST_CASE("with few middle switches requests find no path, and are retried or dropped",
          "[program]") {
  const std::string kept = "kind: circuit, when_blocked: retry";
  const Json retried = result(multicasts(4, kept, kHeavy), {}, 3).at("circuit");
  CHECK(count(retried, "blocked") > 0);
  CHECK(retried.at("dropped") == 0);
  CHECK(count(retried.at("wait_cycles"), "path") > 0);
  const std::string lost = "kind: circuit, when_blocked: drop";
  const Json dropped = result(multicasts(4, lost, kHeavy), {}, 3).at("circuit");
  CHECK(count(dropped, "dropped") > 0);
  CHECK(dropped.at("dropped") == dropped.at("blocked"));
  CHECK(count(result(multicasts(3, kPackets, kHeavy), {}, 3).at("control"), "waited_for_path") > 0);
}

TEST_CASE("the end of a run does not wait for packets that were given up", "[program]") {
  const Json run =
      result(multicasts(2, "kind: circuit, when_blocked: drop", "load: 0.1, packet_length: 50"));
  CHECK(count(run.at("circuit"), "dropped") > 0);
  CHECK(count(run, "cycles") < 500 + 10000 + 1000);  // The drain limit is 100000.
}

TEST_CASE("a lonely circuit takes the clocks of its set-up, its stages and its flits",
          "[program]") {
  const Experiment rare =
      multicasts(13, "kind: circuit, controller: seq_adder", "load: 0.0002, packet_length: 1");
  const Json latency = result(rare).at("latency_cycles");
  // One pass takes t_req 1 + T_ctl (1 + (m + 1) + 1) + t_cfg 1 + 3 t_s + L - 1.
  CHECK(latency.at("p50") == 21);
}

TEST_CASE("five stages carry multicasts, as circuits and as packets", "[program]") {
  const std::string router = GENERATE(as<std::string>{}, kPackets, "kind: circuit");
  Experiment nested = multicasts(13, router, kLight);
  nested.topology = "{kind: clos, ports: [4, 2], middle_switches: [13, 4], switches: 2}";
  const Json five = result(nested);
  CHECK(five.at("status") == "ok");
  CHECK(five.at("hops_mean") == 5.0);
}

TEST_CASE("unicast traffic spreads over the middle switches without a control", "[program]") {
  Experiment spread{clos(4),
                    "{kind: middle_spread}",
                    "{kind: traffic, load: 0.2}",
                    "{warmup: 500, window: 5000}",
                    {}};
  const Json one = result(spread);
  CHECK(one.at("status") == "ok");
  CHECK_FALSE(one.contains("control"));
  CHECK_FALSE(one.contains("circuit"));
  CHECK(result(spread, {"--set", "run.threads=2"}).at("checksum") == one.at("checksum"));
}

TEST_CASE("a Clos network too large for circuits is refused before it is built", "[program]") {
  Experiment large = multicasts(5, "kind: circuit", kLight);
  large.topology = "{kind: clos, ports: [1024], middle_switches: [5], switches: 65}";
  check_says(large,
             {"topology.kind: clos v(5,1024,65) is too large for circuits: 66560 nodes; a "});
}

TEST_CASE("a central control says all that it cannot work with", "[program]") {
  Experiment on_mesh = with_routing("{kind: central_control, candidates: first}");
  on_mesh.more = "node: {ports: all}";
  check_says(on_mesh,
             {"x.yaml:2:17: routing.kind: central_control does not work on mesh 4x4; it works on c",
              "x.yaml:2:46: routing.candidates: the first candidates depend on the pass limit, and "
              "there is none; set routing.pass_limit: theorem3, or use candidates: all\n",
              "x.yaml:5:15: node.ports: nodes of a Clos network under central control have one "});
  Experiment on_clos = multicasts(4, "kind: circuit", "load: 0.1, fan_out: 5");
  on_clos.routing = on_mesh.routing;
  on_clos.more +=
      "\nlink: {latency: 2, credit_latency: 2, classes: {level_0: {latency: 2}}}"
      "\nnode: {startup: 3}";
  check_says(
      on_clos,
      {"x.yaml:2:46: routing.candidates: the first candidates depend on the pass limit",
       "workload.fan_out: 5 is more than the 4 output switches of clos v(4,4,4); use 1 to 4",
       "x.yaml:6:17: link.latency: means nothing in a circuit-switched network; leave it out",
       "x.yaml:6:36: link.credit_latency: means nothing in a circuit-switched network; leav",
       "x.yaml:6:48: link.classes: means nothing in a circuit-switched network; leave it out",
       "x.yaml:7:17: node.startup: means nothing in a circuit-switched network; leave it "});
}

TEST_CASE("circuits and random multicasts ask for a central control", "[program]") {
  Experiment uncontrolled = multicasts(4, "kind: circuit", kLight);
  uncontrolled.routing = "{kind: middle_spread}";
  check_says(
      uncontrolled,
      {"x.yaml:2:17: routing.kind: circuits are set up by a central control; use central_c",
       "x.yaml:3:18: workload.kind: clos_requests are multicasts, which this routing does "});
}

TEST_CASE("only random multicasts may be dropped", "[program]") {
  Experiment unicast = multicasts(4, "kind: circuit, when_blocked: drop", kLight);
  unicast.workload = "{kind: traffic, load: 0.01}";
  check_says(unicast, {"router.when_blocked: only clos_requests may lose packets; use retry\n"});
}

TEST_CASE("Clos topologies of nothing, or with uneven levels, are refused", "[program]") {
  Experiment spread{"{kind: clos, ports: 0, middle_switches: 0, switches: 0}",
                    "{kind: middle_spread}",
                    "{kind: traffic, load: 0.2}",
                    "{window: 500}",
                    {}};
  check_says(spread, {"topology.ports: 0 is too small; write an integer from 1",
                      "topology.middle_switches: 0 is too small; write an integer from 1",
                      "topology.switches: 0 is too small; write an integer from 1"});
  spread.topology = "{kind: clos, ports: [4, 2], middle_switches: [4], switches: 4}";
  check_says(spread, {"topology.middle_switches: 1 levels, but ports has 2; write a number for "});
  spread.topology = clos(4);
  spread.routing = "{kind: central_control, strategy: S4}";
  check_says(spread,
             {"routing.strategy: \"S4\" is not a choice; did you mean S1? Choices: S1, S2, "});
}

TEST_CASE("first candidates without a pass limit are refused, whatever is sent", "[program]") {
  const std::string collective =
      "{kind: collective, operation: broadcast, algorithm: multicast_rounds, length: 8}";
  for (const char* router : {kPackets, "kind: circuit"}) {
    const Folder folder;
    Experiment experiment{clos(13), "{kind: central_control, candidates: first}", collective};
    experiment.more = "router: {" + std::string(router) + "}";
    folder.write("x.yaml", experiment.text());
    for (const char* command : {"run", "check", "schedule"}) {
      INFO(command);
      CHECK(refusal(folder, {command, "x.yaml"}) ==
            "x.yaml:2:46: routing.candidates: the first candidates depend on the pass limit, and "
            "there is none; set routing.pass_limit: theorem3, or use candidates: all\n");
    }
  }
}

TEST_CASE("the summary of multicasts tells packets, receivers and copies apart", "[program]") {
  const Folder folder;
  folder.write("x.yaml", multicasts(13, "kind: circuit", kLight).text());
  const Json result = result_of(folder.path(), "x.yaml");
  const Json& packets = result.at("packets");
  CHECK(packets["copies"] > packets["created"]);
  CHECK(packets["delivered"] <= packets["copies"]);
  const Outcome outcome = run(folder.path(), {"run", "x.yaml"});
  CHECK(outcome.out.find("  packets    " + packets["created"].dump() + " created for " +
                         packets["copies"].dump() + " receivers, " + packets["delivered"].dump() +
                         " copies delivered\n") != std::string::npos);
  folder.write("x.yaml", Experiment{}.text());
  CHECK_FALSE(result_of(folder.path(), "x.yaml").at("packets").contains("copies"));
}
