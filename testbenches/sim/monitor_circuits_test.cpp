// SPDX-License-Identifier: Apache-2.0
// Occupancy of circuits over time: logs of flits, trace events and waveforms of circuits, compared
// with the packet log by the times that CircuitNetwork specifies.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "monitored.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

constexpr std::uint64_t kStage = 2;     // Cycles through a switch and the link after it.
constexpr std::uint64_t kTeardown = 3;  // From the last arrival until the terminal is idle.
constexpr std::uint64_t kLength = 20;
constexpr int kSwitches = 4;  // Switches of the first stage precede those of the middle.
constexpr int kMiddle = 10;   // Switches of the middle precede those of the last stage.

/// Multicasts on circuits through three stages of switches, monitored for 100 cycles.
class Circuits : public Folder {
 public:
  Circuits() {
    write("x.yaml", Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                               "{kind: central_control}",
                               "{kind: clos_requests, load: 0.4, fan_out: 3, packet_length: 20}",
                               "{warmup: 100, window: 500}",
                               "router: {kind: circuit, stage_cycles: 2, teardown_cycles: 3}\n"
                               "trace: {from: 150, to: 250}"}
                        .text());
  }
  /// Runs the experiment, which ends with 0 or, as it may be saturated, 3.
  void monitor(const Arguments& more) const {
    Arguments arguments{"run",          "x.yaml",      "--out",      "o",    "--quiet",
                        "--packet-log", "packets.csv", "--flit-log", "f.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(path(), arguments);
    INFO(outcome.err);
    REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 3));
  }
};

/// A packet of the packet log.
struct Arrived {
  std::string source;
  std::uint64_t injected = 0;
  std::uint64_t last = 0;  ///< Arrival of the last copy.
  std::set<std::string> destinations;
};

/// Returns, by name, the packets whose time in flight lies within the monitored cycles.
std::map<std::string, Arrived> packets_within(const std::string& log) {
  std::map<std::string, Arrived> packets;
  for (const auto& cells : csv_lines(log)) {
    if (cells[0] == "packet") continue;
    Arrived& packet = packets[cells[0]];
    packet.source = cells[1];
    const bool arrived = !cells[6].empty();
    if (!cells[5].empty()) packet.injected = std::stoull(cells[5]);
    packet.last = std::max<std::uint64_t>(packet.last, arrived ? std::stoull(cells[6]) : kTo);
    packet.destinations.insert(cells[2]);
  }
  for (auto packet = packets.begin(); packet != packets.end();) {
    const bool within = packet->second.injected > kFrom && packet->second.last + kTeardown < kTo;
    packet = within ? std::next(packet) : packets.erase(packet);
  }
  return packets;
}

}  // namespace

TEST_CASE("a flit of a circuit is behind each of three switches for the cycles of a stage",
          "[program]") {
  const Circuits circuits;
  circuits.monitor({});
  const auto packets = packets_within(circuits.read("packets.csv"));
  CHECK(packets.size() > 10);
  std::map<std::string, std::map<int, int>> flits;  // Flits of a packet by stage.
  std::map<std::string, std::set<int>> last_switches;
  for (const Row& row : rows_of(circuits.read("f.csv"))) {
    const auto packet = packets.find(row.packet);
    if (packet == packets.end()) continue;
    const int stage = row.router < kSwitches ? 0 : row.router < kSwitches + kMiddle ? 1 : 2;
    INFO(row.packet << " flit " << row.flit << " at router " << row.router);
    CHECK(row.begin() == packet->second.injected + static_cast<std::uint64_t>(row.flit) +
                             static_cast<std::uint64_t>(stage) * kStage);
    CHECK(row.end() == row.begin() + kStage);
    ++flits[row.packet][stage];
    if (stage == 2) last_switches[row.packet].insert(row.router);
  }
  for (const auto& [name, packet] : packets) {
    INFO(name);
    CHECK(flits[name][0] == kLength);
    CHECK(flits[name][1] % static_cast<int>(kLength) == 0);
    // One entry is expected for every switch of the last stage with a destination.
    std::set<int> expected;
    for (const std::string& node : packet.destinations) expected.insert(std::stoi(node) / 4);
    CHECK(last_switches[name].size() == expected.size());
    CHECK(flits[name][2] == static_cast<int>(kLength * expected.size()));
  }
}

TEST_CASE("what terminals do is shown from the request to the idle links", "[program]") {
  const Circuits circuits;
  circuits.monitor({"--timeline", "t.json"});
  const auto packets = packets_within(circuits.read("packets.csv"));
  const Json trace = Json::parse(circuits.read("t.json"));
  std::map<int, std::string> processes;
  std::map<std::string, std::map<std::string, Json>> states;  // States of a packet.
  std::map<std::string, std::size_t> slices;
  std::map<std::pair<int, int>, double> busy_until;
  double time = 0;
  std::size_t cut = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") {
      CHECK(processes.emplace(event["pid"], event["args"]["name"]).second);
    }
    if (event["ph"] == "M") continue;
    CHECK(processes.count(event["pid"]) == 1);
    CHECK(event["ts"].get<double>() >= time);
    time = event["ts"];
    if (event["ph"] != "X") continue;
    CHECK(busy_until[{event["pid"], event["tid"]}] <= time);
    const double end = time + event["dur"].get<double>();
    busy_until[{event["pid"], event["tid"]}] = end;
    CHECK(end <= kTo);
    if (end == kTo && event["cat"] == "terminal") ++cut;
    if (event["cat"] == "packet") {
      ++slices[event["name"]];
    } else {
      states[event["args"]["packet"]][event["name"]] = event;
    }
  }
  CHECK(cut > 0);  // Terminals that were at work when the monitoring ended.
  for (const auto& [name, packet] : packets) {
    INFO(name);
    CHECK(slices[name] >= 3);
    const Json& connected = states[name]["connected"];
    const Json& teardown = states[name]["teardown"];
    CHECK(processes[connected["pid"]] == "node " + packet.source);
    CHECK(connected["ts"] == packet.injected);
    CHECK(connected["dur"] == packet.last - packet.injected);
    CHECK(teardown["ts"] == packet.last);
    CHECK(teardown["dur"] == kTeardown);
    const Json& setup = states[name]["setup"];
    CHECK(setup["ts"].get<std::uint64_t>() + setup["dur"].get<std::uint64_t>() == packet.injected);
  }
}

TEST_CASE("a waveform of circuits has flits, connections and states", "[program]") {
  const Circuits circuits;
  circuits.monitor({"--set", "trace.signals=[router_1, node_5]"});
  const auto packets = packets_within(circuits.read("packets.csv"));
  const std::vector<Row> rows = rows_of(circuits.read("f.csv"));
  const Waveform waveform(circuits.read("o/x.vcd"));
  std::set<int> inputs;
  for (const Row& row : rows) {
    CHECK(row.router == 1);
    inputs.insert(row.port);
  }
  for (std::uint64_t cycle = kFrom; cycle < kTo; ++cycle) {
    std::map<int, std::uint64_t> held;
    for (const Row& row : rows) held[row.port] += row.holds(cycle) ? 1 : 0;
    std::set<std::uint64_t> drivers;
    for (int output = 0; output < 10; ++output) {
      const std::string name = "router_1.out_" + std::to_string(output) + ".input";
      if (waveform.known(name, cycle)) drivers.insert(waveform.number(name, cycle));
    }
    for (const int input : inputs) {
      const std::string name = "router_1.in_" + std::to_string(input) + ".vc_0.flits";
      CHECK(waveform.number(name, cycle) == held[input]);
      if (held[input] > 0) CHECK(drivers.count(static_cast<std::uint64_t>(input)) == 1);
    }
  }
  constexpr std::uint64_t kConnected = 3;
  std::size_t sent = 0;
  for (const auto& [name, packet] : packets) {
    if (packet.source != "5") continue;
    ++sent;
    CHECK("5." + std::to_string(waveform.number("node_5.packet", packet.injected)) == name);
    CHECK(waveform.number("node_5.state", packet.injected) == kConnected);
    CHECK(waveform.number("node_5.state", packet.injected - 1) == kConnected - 1);
    CHECK(waveform.number("node_5.state", packet.last) == kConnected + 1);
  }
  CHECK(sent > 0);
}

TEST_CASE("watching circuits changes nothing, and links and pins they do not have", "[program]") {
  const Circuits circuits;
  circuits.monitor({"--timeline", "t.json"});
  const std::string monitored = repeatable(Json::parse(circuits.read("o/x.json")));
  REQUIRE(run(circuits.path(), {"run", "x.yaml", "--out", "p", "--quiet"}).exit_code != 2);
  CHECK(repeatable(Json::parse(circuits.read("p/x.json"))) == monitored);
  CHECK(refusal(circuits, {"run", "x.yaml", "--set", "trace.signals=[router_1, link_2]"}) ==
        "--set trace.signals=[router_1, link_2]: trace.signals: circuit networks show routers and "
        "nodes alone; name router_0, node_0 or "
        "others\n");
}
