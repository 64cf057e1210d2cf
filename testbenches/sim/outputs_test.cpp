// SPDX-License-Identifier: Apache-2.0
// Destinations of results, and protection against their loss.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"
#include "result.h"

using namespace flitcast::program;

namespace {

const std::string kTrace = "cycle,src,dst,flits\n0,1,2,5\n";
const std::string kGraph = "router a\nrouter b\nterminal 0 a\nterminal 1 b\nlink a b\n";

/// A folder with an experiment that reads a trace and a graph.
class Inputs : public Folder {
 public:
  Inputs() {
    write("in/t.csv", "cycle,src,dst,flits\n0,1,0,5\n");
    write("in/g.graph", kGraph);
    Experiment experiment = with_workload("{kind: trace, format: csv, file: t.csv}");
    experiment.topology = "{kind: custom, file: g.graph}";
    experiment.routing = "{kind: shortest_path}";
    write("in/x.yaml", experiment.text());
  }
};

}  // namespace

TEST_CASE("no output is written over a file that the experiment reads, by whatever name",
          "[program]") {
  const Inputs folder;
  std::filesystem::create_symlink("in/g.graph", folder.path() / "link");
  std::filesystem::create_hard_link(folder.path() / "in/t.csv", folder.path() / "hard.csv");
  for (const char* option : {"--json", "--packet-log"}) {
    for (const char* path :
         {"in/x.yaml", "in/t.csv", "in/../in/t.csv", "in/g.graph", "link", "hard.csv"}) {
      INFO(option << " " << path);
      CHECK(says(refusal(folder, {"run", "in/x.yaml", option, path}), "would be lost"));
    }
  }
  CHECK(run(folder.path(), {"run", "in/x.yaml", "--quiet"}).exit_code == 0);
}

TEST_CASE("two outputs are never one file, there or not, by whatever names", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("old.json", "");
  std::filesystem::create_symlink("old.json", folder.path() / "link");
  for (const char* log : {"./new.json", "sub/../new.json"}) {
    CHECK(says(refusal(folder, {"run", "x.yaml", "--json", "new.json", "--packet-log", log}),
               "--packet-log: \"" + std::string(log) + "\" is written to already"));
  }
  CHECK(says(refusal(folder, {"run", "x.yaml", "--json", "old.json", "--packet-log", "link"}),
             "is written to already"));
  CHECK(says(refusal(folder, {"run", "x.yaml", "--out", ".", "--packet-log", "x.json"}),
             "is written to already"));
}

TEST_CASE("an output replaces a link that leads nowhere", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  std::filesystem::create_symlink("nowhere/x.json", folder.path() / "link");
  CHECK(run(folder.path(), {"run", "x.yaml", "--json", "link", "--quiet"}).exit_code == 0);
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path() / "link")));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "nowhere"));
}

TEST_CASE("results of different configurations never share a file of the folder out", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  const Arguments variant{"run", "x.yaml", "--set", "seed=2"};
  CHECK(run(folder.path(), {"run", "x.yaml"}).err.empty());
  const std::string first = folder.read("out/x.json");
  const Outcome second = run(folder.path(), variant);
  const std::string own =
      "out/x-" + result_of(folder.path(), "x.yaml", {"--set", "seed=2"})["id"].get<std::string>() +
      ".json";
  CHECK(second.err ==
        "note: the result goes to " + own + "; out/x.json is of another configuration\n");
  CHECK(folder.read("out/x.json") == first);
  CHECK(Json::parse(folder.read(own))["seed"] == 2);
  CHECK(run(folder.path(), variant).exit_code == 0);         // Again, into the same file.
  CHECK(run(folder.path(), {"run", "x.yaml"}).err.empty());  // Silent, like the first run.
  CHECK(folder.contents() == std::vector<std::string>{"out/", own, "out/x.json", "x.yaml"});
}

TEST_CASE("a run that replaces the file of another result says so", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("notes.txt", "mine");
  const Arguments named{"run", "x.yaml", "--json", "notes.txt"};
  CHECK(run(folder.path(), named).err ==
        "note: notes.txt is of another configuration and will be replaced\n");
  CHECK(run(folder.path(), named).err.empty());
}

TEST_CASE("six runs at once of different configurations leave six results", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  for (int round = 0; round < 5; ++round) {
    std::list<Process> runs;
    for (int seed = 1; seed <= 6; ++seed) {
      runs.emplace_back(folder.path(), Arguments{"run", "x.yaml", "--quiet", "--set",
                                                 "seed=" + std::to_string(seed)});
    }
    for (Process& one : runs) {
      const Outcome ended = one.wait();
      INFO(ended.err);
      CHECK(ended.exit_code == 0);
    }
    std::set<int> seeds;
    for (const auto& file : std::filesystem::directory_iterator(folder.path() / "out")) {
      seeds.insert(
          Json::parse(folder.read("out/" + file.path().filename().string()))["seed"].get<int>());
    }
    CHECK(seeds.size() == 6);
    std::filesystem::remove_all(folder.path() / "out");
  }
}

TEST_CASE("a run makes the folder of results again if it vanishes while the run starts",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  const std::string results = (folder.path() / "out").string();
  std::atomic<bool> ended{false};
  std::thread remover([&results, &ended] {
    while (!ended) {
      ::rmdir(results.c_str());
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  for (int round = 0; round < 20; ++round) {
    const Outcome one = run(folder.path(), {"run", "x.yaml", "--quiet"});
    INFO(one.err);
    CHECK(one.exit_code == 0);
    CHECK(folder.contents() == std::vector<std::string>{"out/", "out/x.json", "x.yaml"});
    std::filesystem::remove_all(folder.path() / "out");
  }
  ended = true;
  remover.join();
}

TEST_CASE("the waveform of another configuration stays, and the new one is named like its result",
          "[program]") {
  const Folder folder;
  const std::string built_of = GENERATE(as<std::string>{}, "fast", "pins");
  Experiment traced;
  traced.more =
      "trace: {signals: [router_5], from: 20, to: 60}\nrun: {implementation: " + built_of + "}";
  folder.write("x.yaml", traced.text());
  const Arguments other{"run", "x.yaml", "--quiet", "--set", "seed=2"};
  const auto id = result_of(folder.path(), "x.yaml", {"--set", "seed=2"})["id"].get<std::string>();
  std::filesystem::remove_all(folder.path() / "out");
  CHECK(run(folder.path(), {"run", "x.yaml", "--quiet"}).exit_code == 0);
  const std::string first = folder.read("out/x.vcd");
  CHECK(run(folder.path(), other).exit_code == 0);
  const std::vector<std::string> all{
      "out/", "out/x-" + id + ".json", "out/x-" + id + ".vcd", "out/x.json", "out/x.vcd", "x.yaml"};
  CHECK(folder.contents() == all);
  CHECK(folder.read("out/x.vcd") == first);
  CHECK(folder.read("out/x-" + id + ".vcd") != first);
  CHECK(run(folder.path(), {"run", "x.yaml", "--quiet"}).exit_code == 0);
  CHECK(run(folder.path(), other).exit_code == 0);
  CHECK(folder.contents() == all);
}

TEST_CASE("a waveform whose result is elsewhere is not replaced by that of another configuration",
          "[program]") {
  const Folder folder;
  Experiment traced;
  traced.more = "trace: {signals: [router_5], from: 20, to: 60}";
  folder.write("x.yaml", traced.text());
  const auto traced_run = [&](const char* seed) {
    return run(folder.path(), {"run", "x.yaml", "--json", "r.json", "--set", seed}).out;
  };
  CHECK(says(traced_run("seed=1"), "r.json, out/x.vcd\n"));
  const std::string first = folder.read("out/x.vcd");
  const std::string second = traced_run("seed=2");
  const std::string id = Json::parse(folder.read("r.json"))["id"];
  CHECK(says(second, "r.json, out/x-" + id + ".vcd\n"));
  CHECK(folder.read("out/x.vcd") == first);
}

TEST_CASE("a file that is being written is new, and follows no link that was laid beforehand",
          "[program]") {
  const Folder folder;
  Experiment traced;
  traced.more = "trace: {signals: [node_0], from: 20, to: 60}\nrun: {implementation: pins}";
  folder.write("x.yaml", traced.text());
  folder.write("victim", "precious");
  std::filesystem::create_directory(folder.path() / "out");
  const std::string lay =
      "for name in x.json.tmp$$ x.vcd.partial.vcd .flitcast-$$-0.tmp .flitcast-$$-1.tmp "
      ".flitcast-$$-3.tmp.partial.vcd; do ln -s ../victim out/$name; done; exec " FLITCAST_PROGRAM
      " run x.yaml --quiet";
  CHECK(Process(folder.path(), {"-c", lay}, "sh").wait().exit_code == 0);
  CHECK(folder.read("victim") == "precious");
  CHECK(std::filesystem::exists(folder.path() / "out/x.vcd"));
}

TEST_CASE(
    "files are put in place while their folder is locked, so that those of two runs do not mix",
    "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("o/r.json", "{}");
  const int lock = ::open((folder.path() / "o").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  Process writer(folder.path(),
                 {"run", "x.yaml", "--quiet", "--json", "o/r.json", "--packet-log", "o/p.csv"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK_FALSE(writer.has_ended());
  CHECK(folder.read("o/r.json") == "{}");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "o/p.csv"));
  ::close(lock);
  CHECK(writer.wait().exit_code == 0);
  CHECK(folder.contents() == std::vector<std::string>{"o/", "o/p.csv", "o/r.json", "x.yaml"});
}

TEST_CASE("a folder that another program keeps locked delays a run, and does not stop it",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(Process(folder.path(),
                {"-c", "mkdir out; exec flock out " FLITCAST_PROGRAM " run x.yaml --quiet"}, "sh")
            .wait()
            .exit_code == 0);
  CHECK(std::filesystem::exists(folder.path() / "out/x.json"));
}

TEST_CASE("what a killed run leaves is removed by the next, and what runs still write is not",
          "[program]") {
  const Folder folder;
  Experiment endless;
  endless.measure = "{warmup: 100, window: 100000000000}";
  endless.more = "trace: {signals: [node_0], from: 1, to: 1000000}\nrun: {implementation: pins}";
  folder.write("endless.yaml", endless.text());
  folder.write("x.yaml", Experiment{}.text());
  folder.write("out/.flitcast-mine.tmp", "");
  const auto left = [&] {
    std::vector<std::string> names;
    for (const std::string& name : folder.contents()) {
      if (says(name, "/.flitcast-") && says(name, ".partial")) names.push_back(name);
    }
    return names;
  };
  const auto start = [&] {
    auto writer = std::make_unique<Process>(folder.path(), Arguments{"run", "endless.yaml"});
    const std::vector<std::string> before = left();
    while ((left() == before || left().empty()) && !writer->has_ended()) std::this_thread::yield();
    return writer;
  };
  const auto killed = start();
  killed->send(SIGKILL);
  CHECK(killed->wait().signal == SIGKILL);
  const std::vector<std::string> abandoned = left();
  REQUIRE(abandoned.size() == 1);
  const auto alive = start();  // Removes what the killed run has left.
  const std::vector<std::string> kept = left();
  CHECK(kept.size() == 1);
  CHECK(kept != abandoned);
  CHECK(run(folder.path(), {"run", "x.yaml"}).exit_code == 0);
  CHECK(left() == kept);
  CHECK(std::filesystem::exists(folder.path() / "out/.flitcast-mine.tmp"));
}

TEST_CASE("an output that cannot be written is told before the run, not after it", "[program]") {
  const Folder folder;
  Experiment endless;
  endless.measure = "{window: 1000000000000}";
  folder.write("x.yaml", endless.text());
  folder.write("taken/file", "");
  for (const Arguments& outputs : {Arguments{"--json", "taken"},
                                   {"--out", "x.yaml"},
                                   {"--json", "/proc/none/x.json"},
                                   {"--json", "new/deep/x.json", "--packet-log", "taken"},
                                   {"--packet-log", "log.csv", "--json", "taken"},
                                   {"--json", "/dev/null/x.json"}}) {
    Arguments arguments{"run", "x.yaml"};
    arguments.insert(arguments.end(), outputs.begin(), outputs.end());
    CHECK(!refusal(folder, arguments).empty());
  }
}

TEST_CASE("every output that cannot be written is told at once, by its option", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("taken/file", "");
  const std::string said =
      refusal(folder, {"run", "x.yaml", "--json", "taken", "--packet-log", "/proc/none/x.csv"});
  CHECK(says(said, "--json: taken: cannot be written: Is a directory; name another file"));
  CHECK(says(said, "--packet-log: /proc/none: the folder cannot be made: "));
}

TEST_CASE("the summary names the files that were written, and no others", "[program]") {
  const Folder folder;
  Experiment traced;
  traced.more = "trace: {signals: [router_5], from: 20, to: 60}";
  folder.write("x.yaml", traced.text());
  const auto files = [&](Arguments more) {
    more.insert(more.begin(), {"run", "x.yaml"});
    const Outcome outcome = run(folder.path(), more);
    const std::string& said = outcome.out.empty() ? outcome.err : outcome.out;
    const std::size_t at = said.find("  files      ");
    return at == std::string::npos ? "" : said.substr(at + 13);
  };
  CHECK(files({}) == "out/x.json, out/x.vcd\n");
  CHECK(files({"--json", "r.json", "--packet-log", "p.csv"}) == "r.json, p.csv, out/x.vcd\n");
  folder.write("t.csv", kTrace);  // The run ends before the waveform begins.
  CHECK(files({"--set", "workload={kind: trace, format: csv, file: t.csv}", "--set",
               "trace.from=900", "--set", "trace.to=1000", "--out", "o"}) == "o/x.json\n");
  folder.write("x.yaml", Experiment{}.text());
  const Outcome piped = run(folder.path(), {"run", "x.yaml", "--json", "-"});
  CHECK_FALSE(says(piped.err, "files"));
}

TEST_CASE("a run that is refused does not say where its result goes", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  CHECK(run(folder.path(), {"run", "x.yaml"}).exit_code == 0);
  const Outcome refused =
      run(folder.path(), {"run", "x.yaml", "--set", "router.virtual_channels=3", "--set",
                          "routing.kind=o1turn", "--memory-limit", "1K"});
  CHECK(refused.exit_code == 2);
  CHECK_FALSE(says(refused.err, "note:"));
}

TEST_CASE("a log does not go to standard output by the name that a result has for it",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  for (const char* option : {"--packet-log", "--flit-log", "--timeline"}) {
    CHECK(says(refusal(folder, {"run", "x.yaml", option, "-"}),
               std::string(option) + ": - is no file here; name one, or /dev/stdout"));
  }
}

TEST_CASE("an option for a file does not take an empty name", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  for (const char* option : {"--json", "--out", "--packet-log"}) {
    CHECK(says(refusal(folder, {"run", "x.yaml", option, ""}), "is empty; name a file"));
  }
  CHECK(says(refusal(folder, {"run", ""}), "is empty"));
  CHECK(says(refusal(folder, {"schedule", "x.yaml", "--dump", ""}), "is empty"));
}

TEST_CASE("a file that grows beyond the quota leaves nothing behind", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  const Outcome outcome =
      run_under(folder.path(), "ulimit -f 2", "run x.yaml --quiet --json new/x.json");
  CHECK(outcome.exit_code == 2);
  CHECK(says(outcome.err, "new/x.json: cannot be written: File too large"));
  CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
}

TEST_CASE("a waveform of wires that does not fit on the disk is not left as if it were complete",
          "[program]") {
  const Folder folder;
  Experiment experiment;
  experiment.measure = "{warmup: 10, window: 2000}";
  experiment.more = "run: {implementation: pins}\ntrace: {signals: [router_0], from: 0, to: 2000}";
  folder.write("x.yaml", experiment.text());
  const Outcome outcome = run_under(folder.path(), "ulimit -f 64", "run x.yaml --quiet --out o");
  CHECK(outcome.exit_code == 2);
  CHECK(says(outcome.err, ".vcd: not written completely; is the disk full?"));
  CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
}

TEST_CASE("a deadlock is a deadlock, whether anybody reads standard output or not", "[program]") {
  const Folder folder;
  const std::string arguments = "run " FLITCAST_SOURCE "/sim/examples/ring_deadlock.yaml --unsafe ";
  for (const char* output : {"> /dev/full", ">&-", "--json - >&-", "--json x.json >&-"}) {
    INFO(output);
    CHECK(run_under(folder.path(), ":", arguments + output).exit_code == 4);
  }
  CHECK(run_under(folder.path(), ":", arguments + " --quiet --out o").exit_code == 4);
}

TEST_CASE("output to a closed pipe is no noise, and no success", "[program]") {
  const Folder folder;
  Process shell(folder.path(),
                {"-c", "{ sleep 0.2; " FLITCAST_PROGRAM " list; echo $? >&2; } | true"}, "sh");
  CHECK(shell.wait().err == "141\n");  // The status after the signal of a broken pipe.
}

TEST_CASE("a run that ends before its waveform begins says that there is none", "[program]") {
  const Inputs folder;
  const std::string pins = "run.implementation=pins";
  const auto traced = [&](const char* from) {
    return run(folder.path(), {"run", "in/x.yaml", "--out", "out", "--set", pins, "--set",
                               "trace.signals=node_1", "--set", from});
  };
  // The packet of 5 flits arrives in about cycle 17; the run continues to cycle 64.
  const Outcome late = traced("trace.from=64");
  CHECK(late.exit_code == 0);
  CHECK(says(late.err,
             "note: there is no waveform: the run ended after 64 cycles, before "
             "trace.from, 64\n"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "out/x.vcd"));

  const Outcome early = traced("trace.from=63");
  CHECK(early.exit_code == 0);
  CHECK_FALSE(says(early.err, "waveform"));
  CHECK(std::filesystem::exists(folder.path() / "out/x.vcd"));
}

TEST_CASE("a Clos trace that is not finished leaves no file", "[program]") {
  const Folder folder;
  const Outcome outcome = run(folder.path(), {"clos", "traffic", "--n", "2", "--r", "3", "--m", "4",
                                              "--candidates", "first", "--trace", "new/t.txt"});
  CHECK(outcome.exit_code == 2);
  CHECK(folder.contents().empty());
}
