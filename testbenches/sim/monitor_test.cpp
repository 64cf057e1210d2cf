// SPDX-License-Identifier: Apache-2.0
// Content of buffers over time: logs of flits, trace events and waveforms of the fast network.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "monitored.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

constexpr int kBadInput = 2;
/// Routers of a mesh of 4x4 whose buffers are monitored.
constexpr const char* kRings = "router: {kind: wormhole}";
constexpr const char* kPlaces = "router: {kind: store_and_forward, buffer_depth: 2}";

/// A busy network with packets of 5 flits, monitored for 100 cycles.
class Busy : public Folder {
 public:
  explicit Busy(const std::string& router = kRings) {
    Experiment experiment = with(router + "\ntrace: {from: 150, to: 250}");
    experiment.workload = "{kind: traffic, load: 0.4, packet_length: 5}";
    write("x.yaml", experiment.text());
  }
  explicit Busy(const Experiment& experiment) { write("x.yaml", experiment.text()); }
  /// Runs the experiment, which ends with 0 or, as some are saturated, 3.
  void monitor(const Arguments& more) const {
    Arguments arguments{"run", "x.yaml", "--out", "o", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(path(), arguments);
    INFO(outcome.err);
    REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 3));
  }
  std::vector<Row> rows(const Arguments& more = {}) const {
    Arguments arguments{"--flit-log", "flits.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    monitor(arguments);
    return rows_of(read("flits.csv"));
  }
};

}  // namespace

TEST_CASE("a flit is in one buffer after the other, and in the order of its packet", "[program]") {
  const std::vector<Row> rows = Busy(GENERATE(kRings, kPlaces)).rows();
  CHECK(rows.size() > 1000);
  std::map<std::pair<std::string, int>, std::uint64_t> last;  // By flit, cycle of leaving.
  std::map<std::pair<std::string, std::string>, std::vector<int>> order;
  for (const Row& row : rows) {
    INFO(row.packet << " flit " << row.flit << " in " << row.buffer());
    CHECK(row.begin() <= row.end());
    CHECK(row.begin() < kTo);
    CHECK(row.end() <= kTo);
    CHECK((row.flit >= 0 && row.flit < 5));  // Packets have five flits.
    const auto [before, first] = last.try_emplace({row.packet, row.flit}, row.end());
    CHECK((first || row.begin() > before->second));
    before->second = row.end();
    order[{row.packet, row.buffer()}].push_back(row.flit);
  }
  for (const auto& [packet, flits] : order) {
    for (std::size_t f = 1; f < flits.size(); ++f) CHECK(flits[f] == flits[f - 1] + 1);
  }
}

TEST_CASE("a buffer never holds more flits than there are places, nor loses one in the middle",
          "[program]") {
  std::map<std::string, std::vector<Row>> buffers;
  for (const Row& row : Busy().rows({"--set", "router.buffer_depth=3"})) {
    buffers[row.buffer()].push_back(row);
  }
  std::size_t most = 0;
  for (const auto& [buffer, rows] : buffers) {
    for (std::uint64_t cycle = kFrom; cycle < kTo; ++cycle) {
      const auto held =
          static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
            return row.begin() <= cycle && row.end() > cycle;
          }));
      most = std::max(most, held);
    }
    for (std::size_t r = 1; r < rows.size(); ++r) CHECK(rows[r].end() >= rows[r - 1].end());
  }
  CHECK(most == 3);
}

TEST_CASE("watching changes nothing, and what is watched does not depend on how it is run",
          "[program]") {
  const Busy busy(GENERATE(kRings, kPlaces));
  busy.monitor({});
  const auto result = [&] { return repeatable(Json::parse(busy.read("o/x.json"))); };
  const std::string unwatched = result();
  busy.monitor({"--flit-log", "a.csv", "--timeline", "a.json"});
  CHECK(result() == unwatched);
  busy.monitor({"--flit-log", "b.csv", "--timeline", "b.json", "--set", "run.threads=3"});
  CHECK(busy.read("a.csv") == busy.read("b.csv"));
  CHECK(busy.read("a.json") == busy.read("b.json"));
  busy.monitor({"--flit-log", "c.csv", "--set", "run.implementation=pins"});
  CHECK(busy.read("a.csv") == busy.read("c.csv"));
  CHECK(result() == unwatched);
}

TEST_CASE("series and samples do not depend on threads or on what the network is built of",
          "[program]") {
  const Busy busy;
  const auto result = [&](const std::string& how) {
    busy.monitor({"--set", "measure.series=40", "--set", "measure.buffers=7", "--set", how});
    return repeatable(Json::parse(busy.read("o/x.json")));
  };
  const std::string one = result("run.threads=1");
  CHECK(one.find("\"series\"") != std::string::npos);
  CHECK(result("run.threads=3") == one);
  CHECK(result("run.implementation=pins") == one);
}

TEST_CASE("trace events keep to their format, one slice for a packet in a buffer", "[program]") {
  const Busy busy(GENERATE(kRings, kPlaces));
  const std::vector<Row> rows = busy.rows({"--timeline", "t.json"});
  const Json trace = Json::parse(busy.read("t.json"));
  CHECK(trace["otherData"]["complete"] == true);
  std::set<std::pair<int, int>> named;
  std::map<std::string, std::vector<Json>> slices;
  std::map<std::pair<int, int>, double> busy_until;
  std::map<std::string, std::string> arrows;
  std::size_t count = 0;
  double time = 0;
  for (const Json& event : trace["traceEvents"]) {
    const auto phase = event["ph"].get<std::string>();
    REQUIRE(event["pid"].is_number_unsigned());
    REQUIRE(event["tid"].is_number_unsigned());
    if (phase == "M") {
      CHECK(event["args"]["name"].is_string());
      if (event["name"] == "thread_name") named.emplace(event["pid"], event["tid"]);
      continue;
    }
    CHECK(named.count({event["pid"], event["tid"]}) == 1);
    CHECK(event["ts"].get<double>() >= time);
    time = event["ts"];
    if (phase == "X") {
      ++count;
      CHECK(event["dur"].get<double>() > 0);
      CHECK(busy_until[{event["pid"], event["tid"]}] <= time);
      busy_until[{event["pid"], event["tid"]}] = time + event["dur"].get<double>();
      slices[event["name"]].push_back(event);
    } else {
      arrows[event["id"]] += phase;
      // An arrow binds to the slice that encloses it, which precedes it.
      CHECK(slices[event["name"]].back()["ts"] == event["ts"]);
      CHECK(slices[event["name"]].back()["pid"] == event["pid"]);
    }
  }
  std::set<std::pair<std::string, std::string>> expected;
  for (const Row& row : rows) expected.emplace(row.packet, row.buffer());
  CHECK(count == expected.size());
  for (const auto& [packet, phases] : arrows) {
    CHECK(phases == "s" + std::string(slices[packet].size() - 2, 't') + "f");
  }
}

TEST_CASE("a waveform of routers shows what the log of flits tells", "[program]") {
  const Busy busy(GENERATE(kRings, kPlaces));
  const std::vector<Row> rows = busy.rows({"--set", "trace.signals=[router_5, router_6]"});
  const Waveform waveform(busy.read("o/x.vcd"));
  std::map<std::string, std::vector<Row>> buffers;
  for (const Row& row : rows) {
    CHECK((row.router == 5 || row.router == 6));
    buffers[row.scope()].push_back(row);
  }
  for (const auto& [name, held_ever] : buffers) {
    INFO(name);
    for (std::uint64_t cycle = kFrom; cycle < kTo; ++cycle) {
      std::vector<const Row*> held;
      for (const Row& row : held_ever) {
        if (row.holds(cycle)) held.push_back(&row);
      }
      REQUIRE(waveform.number(name + ".flits", cycle) == held.size());
      REQUIRE(waveform.known(name + ".flit", cycle) == !held.empty());
      if (held.empty()) continue;
      const std::string packet = std::to_string(waveform.number(name + ".source", cycle)) + "." +
                                 std::to_string(waveform.number(name + ".packet", cycle));
      REQUIRE(packet == held.front()->packet);
      REQUIRE(waveform.number(name + ".flit", cycle) ==
              static_cast<std::uint64_t>(held.front()->flit));
    }
  }
}

TEST_CASE("a waveform has one value of a signal in a cycle, in the first one, too", "[program]") {
  const Busy busy(GENERATE(kRings, kPlaces));
  busy.monitor({"--set", "trace.signals=[router_5, router_6]"});
  std::istringstream dump(busy.read("o/x.vcd"));
  std::string line;
  while (std::getline(dump, line) && line.rfind("$enddefinitions", 0) != 0) continue;
  std::uint64_t cycle = 0;
  std::set<std::string> changed;
  std::size_t changes = 0;
  while (std::getline(dump, line)) {
    if (line.empty() || line.front() == '$') continue;
    if (line.front() == '#') {
      const std::uint64_t next = std::stoull(line.substr(1));
      CHECK((changed.empty() || next > cycle));
      cycle = next;
      changed.clear();
      continue;
    }
    const std::size_t space = line.find(' ');
    const std::string id = line.substr(space == std::string::npos ? 1 : space + 1);
    INFO("cycle " << cycle << ": " << line);
    CHECK(changed.insert(id).second);
    ++changes;
  }
  CHECK(changes > 500);
}

TEST_CASE("a waveform packed as FST holds what the dump has, in fewer bytes", "[program]") {
  const Busy busy;
  INFO("scripts/setup test installs vcd2fst and fst2vcd");
  REQUIRE(Process(busy.path(), {"-c", "command -v fst2vcd"}, "sh").wait().exit_code == 0);
  const std::string built_of = GENERATE(as<std::string>{}, "fast", "pins");
  const auto monitor = [&](Arguments more) {
    more.insert(more.end(),
                {"--set", "trace.signals=[router_5]", "--set", "run.implementation=" + built_of});
    busy.monitor(more);
  };
  monitor({});
  monitor({"--fst"});
  const std::string packed = busy.read("o/x.fst");
  CHECK(packed.size() < busy.read("o/x.vcd").size() / 2);
  CHECK_FALSE(std::filesystem::exists(busy.path() / "o/x.fst.vcd"));
  REQUIRE(Process(busy.path(), {"-c", "fst2vcd o/x.fst > back.vcd"}, "sh").wait().exit_code == 0);
  const Waveform before(busy.read("o/x.vcd"));
  const Waveform after(busy.read("back.vcd"));
  CHECK(before.variables().size() > 10);
  REQUIRE(after.variables().size() == before.variables().size());
  for (const auto& [name, values] : before.variables()) {
    INFO(name);
    for (const auto& change : values) {
      REQUIRE(after.known(name, change.first) == before.known(name, change.first));
      if (!before.known(name, change.first)) continue;
      REQUIRE(after.number(name, change.first) == before.number(name, change.first));
    }
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // Gives the file another date.
  monitor({"--fst"});
  CHECK(busy.read("o/x.fst") == packed);
}

TEST_CASE("packing no waveform, or packing without what packs, is refused", "[program]") {
  const Busy busy;
  CHECK(refusal(busy, {"run", "x.yaml", "--fst"}) ==
        "--fst: there is no waveform to pack; name routers in trace.signals\n");
  const std::string command =
      "PATH=nowhere exec " FLITCAST_PROGRAM " run x.yaml --fst --set trace.signals=router_5";
  const Outcome told = Process(busy.path(), {"-c", command}, "/bin/sh").wait();
  CHECK(told.exit_code == kBadInput);
  CHECK(told.err ==
        "--fst: there is no vcd2fst here; install GTKWave, of which it is a part, or leave --fst "
        "out\n");
}

TEST_CASE("a packer that breaks off leaves the dump whole and no packed file", "[program]") {
  const Busy busy;
  busy.write("bin/vcd2fst", "#!/bin/sh\necho half > \"$2\"\nexit 1\n");
  const std::string command = "chmod +x bin/vcd2fst; PATH=$PWD/bin:$PATH exec " FLITCAST_PROGRAM
                              " run x.yaml --fst --quiet --out o --set trace.signals=router_5";
  const Outcome told = Process(busy.path(), {"-c", command}, "/bin/sh").wait();
  CHECK(told.exit_code == kBadInput);
  CHECK(told.err.find("o/x.fst: cannot be written") != std::string::npos);
  CHECK(std::filesystem::exists(busy.path() / "o/x.fst.vcd"));
  CHECK_FALSE(std::filesystem::exists(busy.path() / "o/x.fst"));
  CHECK_FALSE(std::filesystem::exists(busy.path() / "o/x.fst.partial"));
}

namespace {

/// Returns, for every input VC by its name in waveforms, the packets that have flits there in a
/// cycle.
std::map<std::string, std::set<std::string>> packets_at(const std::vector<Row>& rows,
                                                        std::uint64_t cycle) {
  std::map<std::string, std::set<std::string>> packets;
  for (const Row& row : rows) {
    if (row.holds(cycle)) packets[row.scope()].insert(row.packet);
  }
  return packets;
}

}  // namespace

TEST_CASE("flits are between routers that keep packets whole for as long as channels take",
          "[program]") {
  const Busy busy(kPlaces);
  busy.write("x.yaml", busy.read("x.yaml") + "link: {latency: 4}\n");
  std::map<std::pair<std::string, int>, std::string> left;
  std::size_t moves = 0;
  for (const Row& row : busy.rows({"--packet-log", "packets.csv"})) {
    std::string& before = left[{row.packet, row.flit}];
    if (!before.empty()) {
      // The time is a cycle for the grant, one for the switch, and those of the channel.
      CHECK(row.begin() - std::stoull(before) == 1 + 1 + 4);
      ++moves;
    }
    before = row.left;
  }
  CHECK(moves > 500);
  std::size_t packets = 0;
  for (const auto& cells : csv_lines(busy.read("packets.csv"))) {
    const std::string tail = left[{cells[0], 4}];
    if (tail.empty() || std::stoull(cells[6]) >= kTo) continue;
    CHECK(std::stoull(cells[6]) - std::stoull(tail) == 1 + 1 + 1);
    ++packets;
  }
  CHECK(packets > 30);
}

TEST_CASE("a waveform of routers that keep packets whole has places, queues and credits",
          "[program]") {
  const Busy busy(kPlaces);
  const std::vector<Row> rows = busy.rows({"--set", "trace.signals=[router_5, router_6]"});
  const Waveform waveform(busy.read("o/x.vcd"));
  std::size_t leaving = 0;
  std::size_t exact = 0;
  std::size_t seen = 0;
  for (std::uint64_t cycle = kFrom; cycle < kTo; ++cycle) {
    for (const auto& [name, packets] : packets_at(rows, cycle)) {
      // A slot is released one cycle later if slots of two VCs of a port are.
      const std::uint64_t taken = waveform.number(name + ".packets", cycle);
      CHECK((taken >= packets.size() && taken <= 2));
      exact += taken == packets.size() ? 1 : 0;
      ++seen;
    }
    for (const std::string output : {"router_5.out_0", "router_6.out_4"}) {
      if (!waveform.known(output + ".packet", cycle)) continue;
      const std::string packet = std::to_string(waveform.number(output + ".source", cycle)) + "." +
                                 std::to_string(waveform.number(output + ".packet", cycle));
      const auto next = static_cast<int>(5 - waveform.number(output + ".flits_left", cycle));
      for (const Row& row : rows) {
        if (row.packet != packet || "router_" + std::to_string(row.router) != output.substr(0, 8))
          continue;
        CHECK((row.flit < next) == (row.end() <= cycle));
        ++leaving;
      }
    }
  }
  CHECK(leaving > 100);
  CHECK(exact * 10 > seen * 9);
}
