// SPDX-License-Identifier: Apache-2.0
// A sweep in its folder: the points that run, the results that are kept, and messages about the
// rest.
#include <signal.h>
#include <sys/file.h>

#include <algorithm>
#include <filesystem>
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

constexpr int kMissingPoints = 5;

const char* const kLoads = "sweep: {workload.load: [0.1, 0.2, 0.3]}";

/// A folder with a sweep x.yaml of three loads.
class Loads : public Folder {
 public:
  explicit Loads(const std::string& more = kLoads) { write("x.yaml", with(more).text()); }

  Outcome sweep(Arguments more = {}) const {
    more.insert(more.begin(), {"run", "x.yaml", "--out", "o", "--quiet"});
    return run(path(), more);
  }
  std::string table() const { return read("o/results.csv"); }
  std::string id(std::size_t point) const {
    return Json::parse(read("o/sweep.json"))["points"][point]["id"];
  }
  std::string result_file(std::size_t point) const { return "o/points/" + id(point) + ".json"; }
  std::string failure_file(std::size_t point) const {
    return "o/points/" + id(point) + ".fail.json";
  }
  bool has(const std::string& name) const { return std::filesystem::exists(path() / name); }
  void remove(const std::string& name) const { std::filesystem::remove(path() / name); }
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A sweep whose second point needs more memory than is available.
const char* const kOneFails = "sweep: {topology.sizes: [[4, 4], [2048, 2048], [4, 5]]}";

Arguments little_memory(Arguments more = {}) {
  more.insert(more.end(), {"--memory-limit", "200M"});
  return more;
}

}  // namespace

TEST_CASE("a sweep runs all its points into a folder of its name, and merges them", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with(kLoads).text());
  const Outcome outcome = run(folder.path(), {"run", "x.yaml"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out ==
        "    0  {\"workload.load\":0.1}  ok\n    1  {\"workload.load\":0.2}  ok\n"
        "    2  {\"workload.load\":0.3}  ok\nout/x/results.csv: 3 of 3 points\n");
  const std::string table = folder.read("out/x/results.csv");
  CHECK(table.rfind("workload.load,point,name,version,seed,id,", 0) == 0);
  CHECK(lines_of(table) == 4);
  for (const char* absent : {"wall_seconds", "host", "digest", "histogram", "links"}) {
    CHECK_FALSE(has(table, absent));
  }
}

TEST_CASE("a point in the folder of a sweep is the experiment with its values set", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const Json alone =
      result_of(folder.path(), "x.yaml",
                {"--set", "sweep={seed: [1]}", "--set", "workload.load=0.2", "--point", "0"});
  CHECK(repeatable(Json::parse(folder.read(folder.result_file(1)))) == repeatable(alone));
}

TEST_CASE("a sweep that goes on runs what has no result, and the table is the same", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string table = folder.table();
  const std::string kept = folder.read(folder.result_file(0));
  folder.remove(folder.result_file(1));
  folder.remove("o/results.csv");
  CHECK(run(folder.path(), {"points", "x.yaml", "--out", "o"}).out.substr(0, 5) == "    1");
  const Outcome again = run(folder.path(), {"run", "x.yaml", "--out", "o"});
  CHECK(again.out == "    1  {\"workload.load\":0.2}  ok\no/results.csv: 3 of 3 points\n");
  CHECK(folder.table() == table);
  CHECK(folder.read(folder.result_file(0)) == kept);  // Includes its wall time.
  CHECK(run(folder.path(), {"points", "x.yaml", "--out", "o"}).out.empty());
}

TEST_CASE("values added to a sweep are run, and those that were there are not", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string kept = folder.read(folder.result_file(2));
  folder.write("x.yaml", with("sweep: {workload.load: [0.3, 0.4]}").text());
  CHECK(folder.sweep().exit_code == 0);
  CHECK(folder.read(folder.result_file(0)) == kept);
  CHECK(lines_of(folder.table()) == 3);
  CHECK(folder.contents().size() == 10);  // Four results, two tables, the lock, folders.
}

TEST_CASE("some points of a sweep can be run by themselves, in any order", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string table = folder.table();
  std::filesystem::remove_all(folder.path() / "o");
  CHECK(folder.sweep({"--points", "1-2"}).exit_code == 0);
  const Outcome early = run(folder.path(), {"collect", "o"});
  CHECK(early.exit_code == kMissingPoints);
  CHECK(early.out == "o/results.csv: 2 of 3 points\n");
  CHECK(early.err == "missing point 0 {\"workload.load\":0.1}: it has not been run\n");
  CHECK(folder.sweep({"--points", "0,2"}).exit_code == 0);
  CHECK(run(folder.path(), {"collect", "o"}).exit_code == 0);
  CHECK(folder.table() == table);
  for (const char* list : {"3", "2-1", "x", "0-", "-1", "1,,2", "0-99999999999999999999"}) {
    INFO(list);
    CHECK(has(folder.sweep({"--points", list}).err, "no list of points of this sweep"));
  }
}

TEST_CASE("points have the same results in one list as each in a process alone", "[program]") {
  // Each sweep varies one thing that points may wrongly share, the load more slowly.
  for (const char* varied :
       {"routing.kind: [dimension_order, o1turn]", "router.virtual_channels: [2, 4]",
        "topology.sizes: [[4, 4], [2, 8]]", "node.ports: [1, 2]",
        "link: [{classes: {dimension_0: {cycles_per_flit: 3}}, label: a}, {latency: 3, label: b}]",
        "zip: {topology: [{kind: jellyfish, routers: 16, degree: 3, seed: 1, label: a}, {kind: "
        "jellyfish, routers: 16, degree: 3, seed: 2, label: b}], routing.kind: [up_down, up_down]}",
        "workload.pattern: [uniform, transpose]", "workload.packet_length: [1, 9]",
        "seed: [1, 2]"}) {
    INFO(varied);
    const Loads folder("router: {virtual_channels: 4}\nsweep: {workload.load: [0.1, 0.2], " +
                       std::string(varied) + "}");
    REQUIRE(folder.sweep({"--points", "0-3"}).exit_code == 0);
    for (std::size_t point = 0; point < 4; ++point) {
      const std::string file = folder.result_file(point);
      const Json together = Json::parse(folder.read(file));
      folder.remove(file);
      REQUIRE(folder.sweep({"--points", std::to_string(point)}).exit_code == 0);
      CHECK(repeatable(together) == repeatable(Json::parse(folder.read(file))));
    }
  }
}

TEST_CASE("a point of a list that a signal ends leaves results before and after it", "[program]") {
  const Loads folder(
      "sweep: {zip: {workload.load: [0.1, 0.2, 0.3, 0.4], measure.window: [500, 500, 200000000, "
      "500]}}");
  const std::string limited =
      "ulimit -S -t 2; " FLITCAST_PROGRAM " run x.yaml --out o --quiet --points 0-3";
  CHECK(Process(folder.path(), {"-c", limited}, "sh").wait().exit_code == kMissingPoints);
  for (const std::size_t point : {0, 1, 3}) CHECK(folder.has(folder.result_file(point)));
  CHECK(Json::parse(folder.read(folder.failure_file(2)))["signal"] == SIGXCPU);
}

TEST_CASE("a point that fails is kept with its reason, and the others run", "[program]") {
  const Loads folder(kOneFails);
  const Outcome outcome = folder.sweep(little_memory());
  CHECK(outcome.exit_code == kMissingPoints);
  CHECK(has(outcome.err, "failed point 1 {\"topology.sizes\":[2048,2048]}: exit code 2: x.yaml:"));
  CHECK(has(outcome.err, "run again with --rerun failed\n"));
  CHECK(lines_of(folder.table()) == 3);
  const Json failure = Json::parse(folder.read(folder.failure_file(1)));
  CHECK(failure["point"] == 1);
  CHECK(failure["values"]["topology.sizes"] == Json::array({2048, 2048}));
  CHECK(failure["exit_code"] == 2);
  CHECK(has(failure["log"][0], "a mesh of 4194304 routers takes at least"));
}

TEST_CASE("one listed point that fails is told by the exit code", "[program]") {
  const Loads folder(kOneFails);
  CHECK(folder.sweep(little_memory({"--points", "0"})).exit_code == 0);
  CHECK(folder.sweep(little_memory({"--points", "0,1"})).exit_code == kMissingPoints);
}

TEST_CASE("a point that a signal ends is kept with the signal, and has no exit code", "[program]") {
  const Loads folder("sweep: {workload.load: [0.3]}");
  const std::string limited = "ulimit -S -t 2; " FLITCAST_PROGRAM
                              " run x.yaml --out o --quiet --set measure.window=200000000";
  CHECK(Process(folder.path(), {"-c", limited}, "sh").wait().exit_code == kMissingPoints);
  const Json failure = Json::parse(folder.read(folder.failure_file(0)));
  CHECK(failure["signal"] == SIGXCPU);
  CHECK_FALSE(failure.contains("exit_code"));
}

TEST_CASE("points that have failed run again on request only, and then no more", "[program]") {
  const Loads folder("sweep: {topology.sizes: [[4, 4], [48, 48]]}");
  const Arguments tight{"--memory-limit", "3M"};
  REQUIRE(folder.sweep(tight).exit_code == kMissingPoints);
  const std::string first = folder.read(folder.failure_file(1));
  CHECK(folder.sweep().exit_code == kMissingPoints);
  CHECK(folder.read(folder.failure_file(1)) == first);
  // A failure of another version counts for nothing.
  Json other = Json::parse(first);
  other["version"] = "0.0.1";
  folder.write(folder.failure_file(1), other.dump());
  CHECK(has(run(folder.path(), {"points", "x.yaml", "--out", "o"}).out, "    1  "));
  folder.write(folder.failure_file(1), first);
  CHECK(folder.sweep({"--rerun", "failed"}).exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() / folder.failure_file(1)));
  CHECK(lines_of(folder.table()) == 3);
}

TEST_CASE("a deadlock is a failed point, whose partial result stays", "[program]") {
  const Loads folder;
  const std::string example = FLITCAST_SOURCE "/sim/examples/ring_deadlock.yaml";
  const Outcome outcome =
      run(folder.path(), {"run", example, "--unsafe", "--out", "o", "--set", "sweep={seed: [1]}"});
  CHECK(outcome.exit_code == kMissingPoints);
  CHECK(has(outcome.err, "exit code 4: deadlock in cycle "));
  CHECK(has(outcome.err, ": router "));
  CHECK(Json::parse(folder.read(folder.result_file(0)))["complete"] == false);
}

TEST_CASE("a result that is damaged is told, and run again", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string table = folder.table();
  const std::string whole = folder.read(folder.result_file(1));
  const std::string other = folder.read(folder.result_file(0));
  std::string one_digit = whole;
  one_digit[whole.find("\"max\": ") + 7] ^= 1;  // The form of a result stays valid.
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string(), other, std::string("[]"),
        std::string("null"), std::string("\xff\x00\x01", 3), one_digit,
        whole + std::string(std::size_t{64} << 20, ' ')}) {
    folder.write(folder.result_file(1), text);
    const Outcome collected = run(folder.path(), {"collect", "o"});
    CHECK(collected.exit_code == kMissingPoints);
    CHECK(has(collected.err, "missing point 1 {\"workload.load\":0.2}: o/points/" + folder.id(1) +
                                 ".json is damaged"));
    const Outcome again = folder.sweep();
    CHECK(again.exit_code == 0);
    CHECK(again.err == "note: point 1 runs again: o/points/" + folder.id(1) + ".json is damaged\n");
    CHECK(folder.table() == table);
  }
}

TEST_CASE("a folder in place of a result is told as damaged", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  folder.remove(folder.result_file(1));
  std::filesystem::create_directory(folder.path() / folder.result_file(1));
  const Outcome collected = run(folder.path(), {"collect", "o"});
  CHECK(collected.exit_code == kMissingPoints);
  CHECK(has(collected.err, folder.id(1) + ".json is damaged"));
}

TEST_CASE("equal results bear the same digest, others another", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const Json first = Json::parse(folder.read(folder.result_file(0)));
  folder.remove(folder.result_file(0));
  REQUIRE(folder.sweep().exit_code == 0);
  CHECK(Json::parse(folder.read(folder.result_file(0)))["digest"] == first["digest"]);
  CHECK(Json::parse(folder.read(folder.result_file(1)))["digest"] != first["digest"]);
}

TEST_CASE("saturated points are results like others: a sweep with some ends with 0", "[program]") {
  const Loads folder("sweep: {workload.load: [0.1, 0.9]}");
  CHECK(folder.sweep({"--set", "measure.drain_limit=500"}).exit_code == 0);
  CHECK(Json::parse(folder.read(folder.result_file(1)))["status"] == "saturated");
  CHECK(has(folder.table(), ",saturated,"));
}

TEST_CASE("a report leaves damaged results out, and says so", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  for (const char* name : {"name=a", "name=b"}) {
    REQUIRE(run(folder.path(), {"run", "x.yaml", "--quiet", "--set", name}).exit_code == 0);
  }
  std::string damaged = folder.read("out/b.json");
  damaged[damaged.find("\"max\": ") + 7] ^= 1;
  folder.write("out/b.json", damaged);
  const Outcome told = run(folder.path(), {"report", "out", "--quiet"});
  CHECK(told.exit_code == 0);
  CHECK(told.err == "note: out/b.json is damaged and left out\n");
  CHECK(has(refusal(folder, {"report", "out/b.json"}), "out/b.json: holds no result"));
}

TEST_CASE("a result of another version is run again", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  Json result = Json::parse(folder.read(folder.result_file(2)));
  result["version"] = "0.0.1";
  folder.write(folder.result_file(2), result.dump());
  CHECK(has(folder.sweep().err, "point 2 runs again: its result is of another version"));
  CHECK(Json::parse(folder.read(folder.result_file(2)))["version"] != "0.0.1");
}

TEST_CASE("the folder of another sweep is refused and left as it is", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string before = folder.read("o/sweep.json");
  const Outcome named = folder.sweep({"--set", "name=y"});
  CHECK(named.exit_code == 2);
  CHECK(has(named.err, "o/sweep.json: the folder is that of the sweep \"x\"; name another folder"));
  const Outcome worker = folder.sweep({"--set", "seed=2", "--points", "0"});
  CHECK(worker.exit_code == 2);
  CHECK(
      has(worker.err, "o/sweep.json: the folder has another point 0, or that of another version"));
  CHECK(folder.read("o/sweep.json") == before);
}

TEST_CASE("a description that is damaged is written anew, but not by collect", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string before = folder.read("o/sweep.json");
  folder.write("o/sweep.json", before.substr(0, 40));
  CHECK(has(refusal(folder, {"collect", "o"}), "o/sweep.json: is damaged; run the sweep again"));
  CHECK(folder.sweep().exit_code == 0);
  CHECK(folder.read("o/sweep.json") == before);
  CHECK(has(refusal(folder, {"collect", "none"}), "none/sweep.json: there is no such file"));
}

TEST_CASE("two sweeps are not run into one folder at a time", "[program]") {
  const Loads folder;
  std::filesystem::create_directories(folder.path() / "o");
  Process holder(folder.path(), {"-c", "exec 8>o/.lock; flock 8; echo locked; exec sleep 60"},
                 "sh");
  for (int i = 0; i < 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (Process(folder.path(), {"-c", "flock -n o/.lock true"}, "sh").wait().exit_code != 0) break;
  }
  const Outcome second = folder.sweep();
  CHECK(second.exit_code == 2);
  CHECK(has(second.err, "o/.lock: another sweep is being run into this folder; wait for its end"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "o/sweep.json"));
  holder.send(SIGKILL);
  holder.wait();
  CHECK(folder.sweep().exit_code == 0);
}

TEST_CASE("a signal stops a sweep, and the same command goes on", "[program]") {
  const Loads folder("sweep: {workload.load: [0.1, 0.2], measure.window: [500, 100000000000]}");
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(folder.path(), {"run", "x.yaml", "--out", "o", "--quiet"});
    process.wait_for_handler(signal);
    while (!process.has_ended() &&
           (!folder.has("o/sweep.json") || !folder.has(folder.result_file(0)))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // Point 1 begins.
    process.send(signal);
    const Outcome outcome = process.wait();
    CHECK(outcome.exit_code == 128 + signal);
    CHECK(outcome.err == "stopped; the same command goes on with the points that are left\n");
    const Outcome collected = run(folder.path(), {"collect", "o"});
    CHECK(collected.out == "o/results.csv: 1 of 4 points\n");
    CHECK(has(collected.err,
              "missing point 1 {\"workload.load\":0.1,\"measure.window\":100000000000}"
              ": its run was stopped\n"));
  }
}

TEST_CASE("with a quota or a full disk a sweep says so and loses nothing", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep({"--points", "0"}).exit_code == 0);
  const std::string kept = folder.read(folder.result_file(0));
  const std::string command = FLITCAST_PROGRAM " run x.yaml --out o --quiet";
  const Outcome small = Process(folder.path(), {"-c", "ulimit -f 4; exec " + command}, "sh").wait();
  CHECK(small.exit_code == kMissingPoints);
  CHECK(has(small.err, "cannot be written: File too large"));
  CHECK(folder.read(folder.result_file(0)) == kept);
  CHECK(lines_of(folder.table()) == 2);
  const std::string none = "{ (ulimit -f 0; " + command + " --rerun failed); echo code $?; } 2>&1";
  const std::string said = Process(folder.path(), {"-c", none + " | cat"}, "sh").wait().out;
  CHECK(has(said, "cannot be written: File too large"));
  CHECK(has(said, "code 2\n"));
  CHECK(folder.read(folder.result_file(0)) == kept);
  CHECK(folder.sweep({"--rerun", "failed"}).exit_code == 0);
  CHECK(lines_of(folder.table()) == 4);
}

TEST_CASE("repetitions end in a table of means beside that of all runs", "[program]") {
  const std::size_t repeat = GENERATE(2, 4);
  const Loads folder("sweep: {workload.load: [0.1, 0.2]}\nrepeat: " + std::to_string(repeat));
  CHECK(folder.sweep().exit_code == 0);
  CHECK(lines_of(folder.table()) == 1 + 2 * repeat);
  CHECK(folder.table().rfind("workload.load,seed,point,name,version,id,", 0) == 0);
  const std::string means = folder.read("o/means.csv");
  CHECK(means.rfind("workload.load,runs,runs_ok,", 0) == 0);
  CHECK(lines_of(means) == 3);
  CHECK(has(means, ",latency_cycles.mean,latency_cycles.mean.half_width_95,"));
  folder.write("x.yaml", with("sweep: {workload.load: [0.1]}").text());
  CHECK(folder.sweep().exit_code == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "o/means.csv"));
}

TEST_CASE("a search keeps its runs: another that asks for the same makes none", "[program]") {
  const Loads folder("search: {find: saturation, precision: 0.1}\n");
  const Arguments quick{"--set", "measure.drain_limit=500"};
  REQUIRE(folder.sweep(quick).exit_code == 0);
  const Json result = Json::parse(folder.read(folder.result_file(0)));
  CHECK(result["saturation"]["value"] > 0.3);
  CHECK(has(folder.table(), ",saturation.value,"));
  const Json alone =
      result_of(folder.path(), "x.yaml", {"--set", "measure.drain_limit=500", "--point", "0"});
  CHECK(alone == result);
  const std::string trial = "o/points/" + result["trials"][1]["id"].get<std::string>() + ".json";
  const std::string kept = folder.read(trial);
  folder.remove(folder.result_file(0));
  CHECK(folder.sweep(quick).exit_code == 0);
  CHECK(folder.read(trial) == kept);
}

TEST_CASE("what a search has found, or why nothing, stands beside its point", "[program]") {
  const Loads folder("search: {find: saturation, precision: 0.3, confirm: 0}");
  const Outcome found = run(folder.path(), {"run", "x.yaml", "--out", "o"});
  const Json result = Json::parse(folder.read(folder.result_file(0)));
  const double value = result["saturation"]["value"];  // All digits; the line has four.
  CHECK(has(found.out, "    0  {}  ok: saturated at " + std::to_string(value).substr(0, 4)));
  const Outcome none =
      run(folder.path(), {"run", "x.yaml", "--out", "p", "--set", "search.from=0.9"});
  CHECK(has(none.out, "    0  {}  unmeasured: the network is saturated at search.from already\n"));
}

TEST_CASE("a search that finds nothing ends with another code than one that finds a load",
          "[program]") {
  const Loads folder("search: {find: saturation, precision: 0.3, confirm: 0}");
  const auto code = [&](const std::string& from) {
    return run(folder.path(), {"run", "x.yaml", "--quiet", "--point", "0", "--json", "x.json",
                               "--set", "search.from=" + from})
        .exit_code;
  };
  CHECK(code("0.1") == 0);
  CHECK(code("0.9") == 3);
}

TEST_CASE("a point of a sweep of searches is searched by itself", "[program]") {
  const Loads folder(
      "search: {find: saturation, precision: 0.3, confirm: 0}\nsweep: {seed: [1, 7]}");
  for (const auto& [point, seed] : {std::pair("0", 1), std::pair("1", 7)}) {
    const Outcome outcome =
        run(folder.path(), {"run", "x.yaml", "--quiet", "--point", point, "--json", "x.json"});
    CHECK(outcome.exit_code == 0);
    CHECK(Json::parse(folder.read("x.json"))["seed"] == seed);
  }
}

TEST_CASE("a search that cannot run is a failed point with the reason, and alone it is refused",
          "[program]") {
  const Loads folder("search: {find: saturation}\nsweep: {seed: [1, 2]}\n");
  const Outcome outcome = folder.sweep({"--memory-limit", "1K"});
  CHECK(outcome.exit_code == kMissingPoints);
  CHECK(has(outcome.err, "exit code 2: x.yaml:1:"));
  CHECK(run(folder.path(), {"run", "x.yaml", "--point", "0", "--memory-limit", "1K"}).exit_code ==
        2);
  const Loads alone("search: {find: saturation}\n");
  CHECK(says(refusal(alone, {"run", "x.yaml", "--memory-limit", "1K"}), "x.yaml:1:"));
}

TEST_CASE("points are run again when a file that their keys name has changed", "[program]") {
  const Folder folder;
  folder.write("t.csv", "cycle,src,dst,flits\n0,0,5,4\n");
  folder.write("g.graph", "router a\nrouter b\nterminal 0 a\nterminal 1 b\nlink a b\n");
  Experiment traced = with_workload("{kind: trace, format: csv, file: t.csv}");
  traced.more = "sweep: {link.latency: [1, 2]}";
  Experiment drawn = with_topology("{kind: custom, file: g.graph}");
  drawn.routing = "{kind: shortest_path}";
  drawn.more = traced.more;
  const auto table = [&](const Experiment& experiment) {
    folder.write("x.yaml", experiment.text());
    CHECK(run(folder.path(), {"run", "x.yaml", "--out", "o", "--quiet"}).exit_code == 0);
    return folder.read("o/results.csv");
  };
  const std::string short_trace = table(traced), one_link = table(drawn);
  folder.write("t.csv", "cycle,src,dst,flits\n0,0,5,400\n");
  folder.write("g.graph", folder.read("g.graph") + "link a b\n");
  const std::string long_trace = table(traced), two_links = table(drawn);
  CHECK(long_trace != short_trace);
  CHECK(two_links != one_link);
  folder.write("t.csv", "cycle,src,dst,flits\n0,0,5,4\n");
  CHECK(table(traced) == short_trace);
}

TEST_CASE("on a terminal a sweep shows how much is left", "[program]") {
  const Loads folder("sweep: {seed: [1, 2, 3]}");
  const std::string command =
      FLITCAST_PROGRAM " run x.yaml --out o --set measure.window=600000 --set workload.load=0.3";
  Process shell(folder.path(), {"-qec", command, "/dev/null"}, "script");
  const Outcome outcome = shell.wait();
  INFO(outcome.out);
  CHECK(outcome.exit_code == 0);
  CHECK(has(outcome.out, "of 3 points, 0:0"));
  CHECK(has(outcome.out, " left"));
}

TEST_CASE("a mistaken --set on a sweep leaves the tables of its folder", "[program]") {
  const Loads folder;
  REQUIRE(folder.sweep().exit_code == 0);
  const std::string table = folder.table();
  const Outcome mistaken = folder.sweep({"--set", "measure.window=600"});
  CHECK(mistaken.exit_code == 2);
  CHECK(says(mistaken.err,
             "o/sweep.json: with --set the sweep has other points than this folder; leave --set "
             "out, or name another folder with --out"));
  CHECK(folder.table() == table);
  CHECK(folder.sweep({"--set", "measure.window=500"}).exit_code == 0);  // The value of the file.
  CHECK(run(folder.path(), {"run", "x.yaml", "--set", "measure.window=600", "--out", "other"})
            .exit_code == 0);
}
