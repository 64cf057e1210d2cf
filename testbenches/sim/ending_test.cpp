// SPDX-License-Identifier: Apache-2.0
// Runs that end abnormally: saturated, deadlocked, stopped, killed.
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "experiment.h"
#include "folder.h"
#include "result.h"

using namespace flitcast::program;

namespace {

/// Returns an experiment that practically never ends.
Experiment endless() {
  Experiment experiment;
  experiment.measure = "{warmup: 100, window: 1000000000000}";
  return experiment;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a network that is offered too much is saturated: exit code 3, a whole result",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  const Json result = result_of(
      folder.path(), "x.yaml",
      {"--set", "workload.load=1.5", "--set", "measure={window: 2000, drain_limit: 500}"}, 3);
  CHECK(result["status"] == "saturated");
  CHECK(result["complete"] == true);
  CHECK(result["accepted_flits_per_node_cycle"]["mean"] < 1.2);
  CHECK(result["offered_flits_per_node_cycle"] > 1.3);
}

TEST_CASE("a network that drops half of its packets is not saturated by that", "[program]") {
  const Folder folder;
  Experiment experiment;
  experiment.topology = "{kind: clos, ports: [4], middle_switches: [1], switches: 4}";
  experiment.routing = "{kind: central_control}";
  experiment.workload = "{kind: clos_requests, load: 0.1, packet_length: 20}";
  experiment.measure = "{warmup: 1000, window: 20000}";
  experiment.more = "router: {kind: circuit, when_blocked: drop}";
  folder.write("x.yaml", experiment.text());
  const Json result = result_of(folder.path(), "x.yaml");
  CHECK(result["status"] == "ok");
  CHECK(result["circuit"]["dropped"] > result["circuit"]["granted"]);
}

TEST_CASE("a deadlock ends the run: exit code 4, and the cycle of waiting is named", "[program]") {
  const Folder folder;
  const Outcome outcome =
      run(folder.path(), {"run", FLITCAST_SOURCE "/sim/examples/ring_deadlock.yaml", "--unsafe",
                          "--json", "-", "--quiet"});
  CHECK(outcome.exit_code == 4);
  const Json result = Json::parse(outcome.out);
  CHECK(result["status"] == "deadlock");
  CHECK(result["complete"] == false);
  const Json& cycle = result["deadlock"];
  CHECK(cycle.size() >= 4);  // At least one channel of each router of the ring.
  CHECK(outcome.err.find("deadlock in cycle " + result["cycles"].dump() + ":\n") == 0);
  CHECK(occurrences(outcome.err, "\n  router ") == cycle.size());
  for (const Json& vc : cycle) {
    const std::string line = "  router " + vc["router"].dump() + " port " + vc["port"].dump() +
                             " VC " + vc["vc"].dump() + ": packet " +
                             vc["packet"].get<std::string>() + " to node " +
                             vc["destination"].dump() + ", waits for";
    INFO(outcome.err << "lacks\n" << line);
    CHECK(occurrences(outcome.err, line) == 1);
  }
}

TEST_CASE("replies that share virtual channels with requests are refused, and deadlock if forced",
          "[program]") {
  const Folder folder;
  const std::string example = FLITCAST_SOURCE "/sim/examples/request_reply.yaml";
  const auto with_vcs = [&](Arguments command, const char* requests, const char* replies) {
    const std::string key = "workload.classes[";
    command.insert(command.end(), {example, "--set", key + "0].virtual_channels=" + requests,
                                   "--set", key + "1].virtual_channels=" + replies});
    return run(folder.path(), command);
  };
  for (const char* command : {"check", "run"}) {
    const Outcome refused = with_vcs({command}, "[0,0]", "[0,0]");
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK(
        refused.err.find("workload.classes[0].reply: protocol deadlock possible: read waits for "
                         "space for its reply data, which shares virtual channels with read; give "
                         "the replies virtual_channels of their own") != std::string::npos);
  }
  CHECK(with_vcs({"check", "--unsafe"}, "[0,0]", "[0,0]").out.find("protocol  cyclic dependency") !=
        std::string::npos);
  const Outcome forced = with_vcs({"run", "--unsafe", "--json", "-", "--quiet"}, "[0,0]", "[0,0]");
  CHECK(forced.exit_code == 4);
  CHECK(Json::parse(forced.out)["status"] == "deadlock");
  CHECK(Json::parse(forced.out)["deadlock"].size() >= 1);
  const Outcome apart = with_vcs({"run", "--json", "-", "--quiet"}, "[0,0]", "[1,1]");
  CHECK(apart.exit_code == 0);
  CHECK(with_vcs({"check", "--set", "node.reply_queue=0"}, "[0,0]", "[0,0]")
            .out.find("protocol  nodes take every request, and replies wait for none") !=
        std::string::npos);
}

TEST_CASE("a signal stops a run: exit code 130 or 143, and a partial result", "[program]") {
  const Folder folder;
  folder.write("x.yaml", endless().text());
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(folder.path(), {"run", "x.yaml", "--quiet", "--out", "out"});
    process.wait_for_handler(signal);
    process.send(signal);
    const Outcome outcome = process.wait();
    INFO("signal " << signal << "\n" << outcome.err);
    CHECK(outcome.exit_code == 128 + signal);
    const Json result = Json::parse(folder.read("out/x.json"));
    CHECK(result["status"] == "stopped");
    CHECK(result["complete"] == false);
    CHECK(result["cycles"] < 1000000000000);
    CHECK(folder.contents() == std::vector<std::string>{"out/", "out/x.json", "x.yaml"});
    std::filesystem::remove_all(folder.path() / "out");
  }
}

TEST_CASE("a signal while a large network is made ends the program soon, and it says so",
          "[program]") {
  const Folder folder;
  Experiment large = endless();
  large.topology = "{kind: mesh, sizes: [512, 512]}";
  folder.write("x.yaml", large.text());
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(folder.path(), {"run", "x.yaml", "--unsafe", "--quiet"});
    process.wait_for_block(signal);
    process.send(signal);
    const Outcome outcome = process.wait();
    CHECK(outcome.signal == signal);
    CHECK(outcome.err == "stopped by a signal before the first cycle: nothing is written\n");
    CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
  }
}

TEST_CASE("a signal while a network with pins is made leaves no draft of its waveform",
          "[program]") {
  const Folder folder;
  Experiment large = endless();
  large.topology = "{kind: mesh, sizes: [64, 64]}";
  large.more = "run: {implementation: pins}\ntrace: {signals: [router_0]}";
  folder.write("x.yaml", large.text());
  Process process(folder.path(), {"run", "x.yaml", "--unsafe", "--quiet"});
  const auto has_draft = [&] {
    const std::vector<std::string> names = folder.contents();
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.find(".tmp") != std::string::npos;
    });
  };
  // An earlier draft is one by which the program tries whether it can write the file.
  process.wait_for_block(SIGINT);
  while (!has_draft()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  process.send(SIGINT);
  CHECK(process.wait().signal == SIGINT);
  CHECK_FALSE(has_draft());
}

TEST_CASE("a signal stops a curve of Clos traffic after the points that are done", "[program]") {
  const Folder folder;
  Process process(folder.path(), {"clos", "traffic", "--n", "4", "--r", "4", "--m", "13", "--to",
                                  "20000", "--events", "1000", "--json"});
  process.wait_for_handler(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));  // Some of 19988 points.
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  INFO(outcome.err);
  CHECK(outcome.exit_code == 130);
  const Json result = Json::parse(outcome.out);
  CHECK(result["status"] == "stopped");
  const std::size_t done = result["points"].size();
  CHECK(done > 0);
  CHECK(result["points"][done - 1]["m"] == 12 + done);
  CHECK(outcome.err.find("stopped by a signal after " + std::to_string(done) + " of 19988") !=
        std::string::npos);
}

TEST_CASE("a signal stops Clos traffic without a trace", "[program]") {
  const Folder folder;
  Process process(folder.path(), {"clos", "traffic", "--n", "4", "--r", "4", "--m", "13",
                                  "--events", "1000000000", "--trace", "x.txt"});
  process.wait_for_handler(SIGINT);
  process.send(SIGINT);
  CHECK(process.wait().exit_code == 130);
  CHECK(folder.contents().empty());
}

TEST_CASE("a signal that follows at once is the same request, a later one ends the run",
          "[program]") {
  for (const int second : {SIGINT, SIGTERM}) {
    const Folder folder;
    folder.write("x.yaml", endless().text());
    // The pipe has no reader, so the run cannot end by itself.
    REQUIRE(::mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    Process process(folder.path(), {"run", "x.yaml", "--quiet", "--json", "pipe"});
    process.wait_for_handler(second);
    process.send(SIGINT);
    process.send(second);
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    CHECK_FALSE(process.has_ended());
    process.send(second);
    const Outcome outcome = process.wait();
    INFO("signal " << second << ", exit code " << outcome.exit_code << "\n" << outcome.err);
    CHECK(outcome.signal == second);
    CHECK(folder.contents() == std::vector<std::string>{"pipe", "x.yaml"});
  }
}

TEST_CASE("a run that is killed leaves whole results or none", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  std::mt19937 random(3);
  for (int kill = 0; kill < 20; ++kill) {
    const std::string name = "out/" + std::to_string(kill) + ".json";
    Process process(folder.path(), {"run", "x.yaml", "--quiet", "--json", name});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    process.send(SIGKILL);
    process.wait();
  }
  for (const std::string& name : folder.contents()) {
    if (std::filesystem::path(name).extension() != ".json") continue;
    INFO(name);
    CHECK(Json::accept(folder.read(name)));
  }
}

TEST_CASE("a new result takes the place of the old one and does not write into it", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{}.text());
  folder.write("x.json", "old");
  std::filesystem::create_hard_link(folder.path() / "x.json", folder.path() / "old.json");
  CHECK(run(folder.path(), {"run", "x.yaml", "--quiet", "--json", "x.json"}).exit_code == 0);
  CHECK(Json::accept(folder.read("x.json")));
  CHECK(folder.read("old.json") == "old");
  CHECK(folder.contents() == std::vector<std::string>{"old.json", "x.json", "x.yaml"});
}

TEST_CASE("a signal ends a check, or a network that is being built, at once", "[program]") {
  const Folder folder;
  Experiment large = endless();
  large.topology = "{kind: mesh, sizes: [1024, 1024]}";
  folder.write("x.yaml", large.text());
  for (const char* command : {"check", "run"}) {
    Process process(folder.path(), {command, "x.yaml"});
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    process.send(SIGTERM);
    const Outcome outcome = process.wait();
    INFO(command << ", exit code " << outcome.exit_code);
    CHECK(outcome.signal == SIGTERM);
    CHECK(folder.contents() == std::vector<std::string>{"x.yaml"});
  }
}

TEST_CASE("more threads than processors are said to share them", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with_topology("{kind: mesh, sizes: [8, 8]}").text());
  const std::string note = " threads share " + std::to_string(std::thread::hardware_concurrency()) +
                           " processors and wait for each other\n";
  const Outcome crowded = run(folder.path(), {"run", "x.yaml", "--set", "run.threads=63"});
  CHECK(crowded.exit_code == 0);
  if (std::thread::hardware_concurrency() < 63) CHECK(crowded.err == "note: 63" + note);
  CHECK(run(folder.path(), {"run", "x.yaml"}).err.empty());
}
