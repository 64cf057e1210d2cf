// SPDX-License-Identifier: Apache-2.0
// What was in which buffer when: logs of flits, trace events and waveforms of the fast network.
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
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

constexpr int kBadInput = 2;
constexpr std::uint64_t kFrom = 150;
constexpr std::uint64_t kTo = 250;

/// A line of a log of flits.
struct Row {
  std::string packet;
  int flit = 0;
  int router = 0;
  int port = 0;
  int vc = 0;
  std::string arrived;
  std::string left;

  std::string buffer() const {
    return std::to_string(router) + "/" + std::to_string(port) + "/" + std::to_string(vc);
  }
  std::uint64_t begin() const { return arrived.empty() ? kFrom : std::stoull(arrived); }
  std::uint64_t end() const { return left.empty() ? kTo : std::stoull(left); }
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char letter : line) {
    if (letter == ',') {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  return cells;
}

std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(line == "packet,flit,router,port,vc,arrived_cycle,left_cycle");
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const auto cells = cells_of(line);
    REQUIRE(cells.size() == 7);
    rows.push_back({cells[0], std::stoi(cells[1]), std::stoi(cells[2]), std::stoi(cells[3]),
                    std::stoi(cells[4]), cells[5], cells[6]});
  }
  return rows;
}

/// A busy mesh of 4x4, packets of 5 flits, watched for 100 cycles.
class Busy : public Folder {
 public:
  Busy() {
    Experiment experiment = with("trace: {from: 150, to: 250}");
    experiment.workload = "{kind: traffic, load: 0.4, packet_length: 5}";
    write("x.yaml", experiment.text());
  }
  /// Ends with 0 or, as some are saturated, 3.
  void watch(const Arguments& more) const {
    Arguments arguments{"run", "x.yaml", "--out", "o", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(path(), arguments);
    INFO(outcome.err);
    REQUIRE((outcome.exit_code == 0 || outcome.exit_code == 3));
  }
  std::vector<Row> rows(const Arguments& more = {}) const {
    Arguments arguments{"--flit-log", "flits.csv"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    watch(arguments);
    return rows_of(read("flits.csv"));
  }
};

/// Values of the variables of a waveform after every time, by their names.
using Waveform = std::map<std::string, std::map<std::uint64_t, std::string>>;

/// Reads a value change dump of vectors.
Waveform read_waveform(const std::string& text) {
  Waveform waveform;
  std::map<std::string, std::string> names;
  std::vector<std::string> scopes;
  std::istringstream words(text);
  std::uint64_t time = 0;
  for (std::string word; words >> word;) {
    std::string more;
    if (word == "$comment" || word == "$version" || word == "$date") {
      while (words >> more && more != "$end") {
      }
    } else if (word == "$scope") {
      words >> word >> more;
      scopes.push_back(more);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string type, width, code, name;
      words >> type >> width >> code >> name;
      std::string full;
      for (const std::string& scope : scopes) full += scope + ".";
      CHECK(names.emplace(code, full + name).second);
    } else if (word[0] == '#') {
      const std::uint64_t next = std::stoull(word.substr(1));
      CHECK(next >= time);
      time = next;
    } else if (word[0] == 'b') {
      words >> more;
      REQUIRE(names.count(more) == 1);
      waveform[names.at(more)][time] = word.substr(1);
    }
  }
  CHECK(scopes.empty());
  return waveform;
}

std::uint64_t number(const std::string& bits) { return std::stoull(bits, nullptr, 2); }

bool is_known(const std::string& bits) { return bits.find('x') == std::string::npos; }

}  // namespace

TEST_CASE("a flit is in one buffer after the other, and in the order of its packet", "[program]") {
  const std::vector<Row> rows = Busy().rows();
  CHECK(rows.size() > 1000);
  std::map<std::pair<std::string, int>, std::uint64_t> last;  // Of a flit, when it left.
  std::map<std::pair<std::string, std::string>, std::vector<int>> order;
  for (const Row& row : rows) {
    INFO(row.packet << " flit " << row.flit << " in " << row.buffer());
    CHECK(row.begin() <= row.end());
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
  const Busy busy;
  busy.watch({});
  const auto result = [&] { return repeatable(Json::parse(busy.read("o/x.json"))); };
  const std::string unwatched = result();
  busy.watch({"--flit-log", "a.csv", "--timeline", "a.json"});
  CHECK(result() == unwatched);
  busy.watch({"--flit-log", "b.csv", "--timeline", "b.json", "--set", "run.threads=3"});
  CHECK(busy.read("a.csv") == busy.read("b.csv"));
  CHECK(busy.read("a.json") == busy.read("b.json"));
  busy.watch({"--flit-log", "c.csv", "--set", "run.realisation=pins"});
  CHECK(busy.read("a.csv") == busy.read("c.csv"));
  CHECK(result() == unwatched);
}

TEST_CASE("series and samples do not depend on threads or on what the network is built of",
          "[program]") {
  const Busy busy;
  const auto result = [&](const std::string& how) {
    busy.watch({"--set", "measure.series=40", "--set", "measure.buffers=7", "--set", how});
    return repeatable(Json::parse(busy.read("o/x.json")));
  };
  const std::string one = result("run.threads=1");
  CHECK(one.find("\"series\"") != std::string::npos);
  CHECK(result("run.threads=3") == one);
  CHECK(result("run.realisation=pins") == one);
}

TEST_CASE("trace events keep to their format, one slice for a packet in a buffer", "[program]") {
  const Busy busy;
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
      // It binds to the slice around it, which stands before it.
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
  const Busy busy;
  const std::vector<Row> rows = busy.rows({"--set", "trace.signals=[router_5, router_6]"});
  const Waveform waveform = read_waveform(busy.read("o/x.vcd"));
  std::map<std::string, std::vector<Row>> buffers;
  for (const Row& row : rows) {
    CHECK((row.router == 5 || row.router == 6));
    buffers["router_" + std::to_string(row.router) + ".in_" + std::to_string(row.port) + ".vc_" +
            std::to_string(row.vc)]
        .push_back(row);
  }
  CHECK(waveform.size() == 4 * buffers.size());
  for (const auto& buffer : buffers) {
    const std::string& name = buffer.first;
    INFO(name);
    const auto value = [&](const char* variable, std::uint64_t cycle) {
      return std::prev(waveform.at(name + "." + variable).upper_bound(cycle))->second;
    };
    for (std::uint64_t cycle = kFrom; cycle < kTo; ++cycle) {
      std::vector<const Row*> held;
      for (const Row& row : buffer.second) {
        if (row.begin() <= cycle && row.end() > cycle) held.push_back(&row);
      }
      REQUIRE(number(value("flits", cycle)) == held.size());
      REQUIRE((value("flit", cycle) == "x") == held.empty());
      if (held.empty()) continue;
      const std::string packet = std::to_string(number(value("source", cycle))) + "." +
                                 std::to_string(number(value("packet", cycle)));
      REQUIRE(packet == held.front()->packet);
      REQUIRE(number(value("flit", cycle)) == static_cast<std::uint64_t>(held.front()->flit));
    }
  }
}

TEST_CASE("a waveform packed as FST holds what the dump has, in fewer bytes", "[program]") {
  const Busy busy;
  INFO("scripts/setup test installs vcd2fst and fst2vcd");
  REQUIRE(Process(busy.path(), {"-c", "command -v fst2vcd"}, "sh").wait().exit_code == 0);
  const std::string built_of = GENERATE(as<std::string>{}, "native", "pins");
  const auto watch = [&](Arguments more) {
    more.insert(more.end(),
                {"--set", "trace.signals=[router_5]", "--set", "run.realisation=" + built_of});
    busy.watch(more);
  };
  watch({});
  watch({"--fst"});
  const std::string packed = busy.read("o/x.fst");
  CHECK(packed.size() < busy.read("o/x.vcd").size() / 2);
  CHECK_FALSE(std::filesystem::exists(busy.path() / "o/x.fst.vcd"));
  REQUIRE(Process(busy.path(), {"-c", "fst2vcd o/x.fst > back.vcd"}, "sh").wait().exit_code == 0);
  const Waveform before = read_waveform(busy.read("o/x.vcd"));
  const Waveform after = read_waveform(busy.read("back.vcd"));
  CHECK(before.size() > 10);
  REQUIRE(after.size() == before.size());
  for (const auto& [name, values] : before) {
    INFO(name);
    for (const auto& [time, bits] : values) {
      const std::string back = std::prev(after.at(name).upper_bound(time))->second;
      REQUIRE(is_known(back) == is_known(bits));
      if (is_known(bits)) REQUIRE(number(back) == number(bits));
    }
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // For another date.
  watch({"--fst"});
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

TEST_CASE("networks without buffers of flits are not watched, in words", "[program]") {
  const Busy busy;
  for (const std::string option : {"--flit-log", "--timeline"}) {
    const Outcome told =
        run(busy.path(), {"run", "x.yaml", "--set", "router.kind=store_and_forward", option, "f"});
    CHECK(told.exit_code == kBadInput);
    CHECK(told.err == option +
                          ": the network has no buffers of flits to show; set router.kind to one "
                          "whose buffers hold flits\n");
  }
}
