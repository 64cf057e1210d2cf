// SPDX-License-Identifier: Apache-2.0
// Traces replayed by the program and checked by its packet log.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "experiment.h"
#include "folder.h"
#include "refusal.h"
#include "replay.h"
#include "result.h"
#include "traffic/trace.h"
#include "training_step.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

// A request and its answers over a slow corner of the mesh, next to traffic without dependencies.
const std::string kProgram =
    "cycle,src,dst,flits,id,deps\n"
    "0,0,15,9,1,\n"
    "0,15,0,5,2,1\n"
    "3,15,5,1,3,1\n"
    "0,0,3,2,4,2;3\n"
    "100,0,3,2,5,4\n"
    "7,0,1,1,6,\n"
    "7,0,2,1,7,\n"
    "2,6,9,1,8,\n";

Trace program_trace(const Folder& folder) {
  return find(trace_formats(), "csv")
      ->make(folder.path() / "program.csv", Section::of("workload", {}));
}

struct Replay {
  Json result;
  std::vector<LoggedPacket> log;
};

Replay replay(const Folder& folder, const Experiment& experiment) {
  folder.write("x.yaml", experiment.text());
  Replay replay;
  replay.result = result_of(folder.path(), "x.yaml", {"--packet-log", "log.csv"});
  replay.log = read_packet_log(folder.read("log.csv"));
  return replay;
}

}  // namespace

TEST_CASE("packets of a trace are created as soon as all they depend on has arrived, not before",
          "[program]") {
  const Folder folder;
  folder.write("program.csv", kProgram);
  const Replay honoured =
      replay(folder, with_workload("{kind: trace, format: csv, file: program.csv}"));
  CHECK(honoured.result["status"] == "ok");
  CHECK(honoured.result["packets"]["delivered"] == 8);
  CHECK(contradiction(program_trace(folder), honoured.log, true).empty());
  CHECK_FALSE(contradiction(program_trace(folder), honoured.log, false).empty());
  CHECK(honoured.result["completion_cycle"] == honoured.log.back().arrived + 1);
}

TEST_CASE("a trace whose dependencies are ignored keeps to its cycles", "[program]") {
  const Folder folder;
  folder.write("program.csv", kProgram);
  const Replay ignored = replay(
      folder, with_workload("{kind: trace, format: csv, file: program.csv, dependencies: ignore}"));
  CHECK(ignored.result["packets"]["delivered"] == 8);
  CHECK(contradiction(program_trace(folder), ignored.log, false).empty());
  CHECK_FALSE(contradiction(program_trace(folder), ignored.log, true).empty());
}

TEST_CASE("a trace is found beside the experiment, wherever the program was started", "[program]") {
  const Folder folder;
  folder.write("sub/program.csv", kProgram);
  folder.write("sub/x.yaml", with_workload("{kind: trace, format: csv, file: program.csv}").text());
  CHECK(result_of(folder.path(), "sub/x.yaml")["packets"]["delivered"] == 8);
}

TEST_CASE("the published Netrace samples run on an 8x8 mesh in the order of their dependencies",
          "[program]") {
  const char* const samples = std::getenv("FLITCAST_SAMPLES");
  if (samples == nullptr) {
    WARN("skipped: FLITCAST_SAMPLES does not name the folder of the samples");
    return;
  }
  struct Sample {
    const char* name;
    std::size_t packets;
  };
  for (const Sample& sample :
       {Sample{"shrtex", 12}, {"example", 175}, {"multipartition", 22'968}}) {
    const std::string file = std::string(samples) + "/netrace/" + sample.name + ".tra.bz2";
    INFO(file);
    const Folder folder;
    const Replay run =
        replay(folder, Experiment{"{kind: mesh, sizes: [8, 8]}", "{kind: dimension_order}",
                                  "{kind: trace, format: netrace, file: \"" + file + "\"}"});
    CHECK(run.result["status"] == "ok");
    CHECK(run.result["packets"]["created"] == sample.packets);
    CHECK(run.result["packets"]["delivered"] == sample.packets);
    const auto* netrace = find(trace_formats(), "netrace");
    const Section sixteen_bytes = Section::of("workload", {{"flit_bytes", 16}});
    CHECK(contradiction(netrace->make(file, sixteen_bytes), run.log, true).empty());
  }
}

TEST_CASE("a gap in a trace changes nothing but the cycles, however long it is", "[program]") {
  Experiment experiment = with_workload("{kind: trace, format: csv, file: program.csv}");
  if (GENERATE(false, true)) {
    experiment.topology = "{kind: clos, ports: [4], middle_switches: [13], switches: 4}";
    experiment.routing = "{kind: central_control}";
    experiment.more = "router: {kind: circuit}";
  }
  const auto with_gap = [&](std::uint64_t gap) {
    const Folder folder;
    folder.write("program.csv", "cycle,src,dst,flits\n0,0,15,4\n" + std::to_string(gap) +
                                    ",3,12,2\n" + std::to_string(gap + 700) + ",5,6,1\n");
    return replay(folder, experiment);
  };
  const std::uint64_t far = 1'000'000'000'000;
  const Replay near = with_gap(640);
  const Replay distant = with_gap(640 + far);
  CHECK(distant.result["status"] == "ok");
  CHECK(distant.result["cycles"] == near.result["cycles"].get<std::uint64_t>() + far);
  CHECK(distant.result["latency_cycles"] == near.result["latency_cycles"]);
  CHECK(distant.log.back().arrived == near.log.back().arrived + far);
}

TEST_CASE("a column class is said to mean nothing", "[program]") {
  const Folder folder;
  folder.write("program.csv", "cycle,src,dst,flits,class\n0,0,15,4,7\n");
  folder.write("x.yaml", with_workload("{kind: trace, format: csv, file: program.csv}").text());
  CHECK(run(folder.path(), {"run", "x.yaml"})
            .err.find("note: the column class is not used: the network has no message classes\n") !=
        std::string::npos);
  CHECK(run(folder.path(), {"run", "x.yaml", "--quiet"}).err.empty());
}

namespace {

std::uint64_t part(const Json& result, const char* name) {
  return result["critical_path"][name].get<std::uint64_t>();
}

}  // namespace

TEST_CASE("the published Chakra samples run on a ring, and their time is told in parts",
          "[program]") {
  const char* const samples = std::getenv("FLITCAST_SAMPLES");
  if (samples == nullptr) {
    WARN("skipped: FLITCAST_SAMPLES does not name the folder of the samples");
    return;
  }
  const Folder folder;
  const Replay run =
      replay(folder, Experiment{"{kind: torus, sizes: [8]}", "{kind: dimension_order}",
                                "{kind: trace, format: chakra, mtu: 131072, file: \"" +
                                    std::string(samples) + "/chakra\"}"});
  CHECK(run.result["status"] == "ok");
  CHECK(run.result["packets"]["delivered"] == 8 * 14);
  for (const LoggedPacket& packet : run.log) {
    CHECK(packet.length == 1 + 131072 / 16);
    CHECK(packet.destination == (packet.source + 1) % 8);
  }
  // The program has 14 steps between neighbours with private links, and 7 sums of 7 microseconds.
  CHECK(part(run.result, "compute") == 7 * 7000);
  CHECK(part(run.result, "contention") == 0);
  CHECK(part(run.result, "messages") == 14);
  CHECK(part(run.result, "cycles") == run.log.back().arrived + 1);
}

TEST_CASE("the files of the training step are what its program is written as", "[program]") {
  const ChakraProgram program = training_step();
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    const auto file = std::filesystem::path(FLITCAST_SOURCE) / "sim/examples/training_step" /
                      ("step." + std::to_string(rank) + ".et");
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    CHECK(bytes == chakra_bytes(program[rank]));
  }
}

TEST_CASE("a program computes by the clock of the experiment, and its flits have that width",
          "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               with_workload("{kind: trace, format: chakra, file: " + std::string(FLITCAST_SOURCE) +
                             "/sim/examples/training_step}")
                   .text());
  const auto cycles = [&](const Arguments& sets) {
    Arguments all;
    for (const std::string& one : sets) all.insert(all.end(), {"--set", one});
    return part(result_of(folder.path(), "x.yaml", all), "cycles");
  };
  const auto two = cycles({"workload.clock_mhz=2000", "workload.flit_bytes=8"});
  CHECK(two > cycles({"workload.flit_bytes=8"}) + 10000);
  CHECK(cycles({"clock=2 GHz", "flit_width=8 B"}) == two);
  CHECK(cycles({"clock=2 GHz", "flit_width=8 B", "workload.clock_mhz=2000"}) == two);
  const std::string said = refusal(
      folder, {"check", "x.yaml", "--set", "clock=2 GHz", "--set", "workload.clock_mhz=1000",
               "--set", "flit_width=16 B", "--set", "workload.flit_bytes=17"});
  CHECK(says(said,
             "workload.clock_mhz: is 1000 MHz, which contradicts clock; write 2000, or "
             "change clock"));
  CHECK(says(said,
             "workload.flit_bytes: is 17 bytes, which contradicts flit_width; write at most "
             "16, or change flit_width"));
}

TEST_CASE("a trace is measured to the cycle in which it is complete", "[program]") {
  const Folder folder;
  folder.write("one.csv", "cycle,src,dst,flits\n0,0,1,4\n");
  folder.write("x.yaml", with_workload("{kind: trace, format: csv, file: one.csv}").text());
  const Json result = result_of(folder.path(), "x.yaml", {"--set", "energy.cells=osu018"});
  const auto cycles = result.at("completion_cycle").get<double>();
  CHECK(cycles < 20);
  CHECK(result.at("window_cycles") == cycles);
  const Json timed = result_of(folder.path(), "x.yaml", {"--set", "clock=2 GHz"});
  CHECK(timed.at("physical").at("time_ns") == Approx(cycles / 2));
  double most = 0;
  for (const Json& link : result.at("links")) most = std::max(most, link.at("load").get<double>());
  CHECK(most == Approx(4 / cycles));
  // The clock takes the same energy in every cycle, so that of another run is that of its cycles.
  folder.write("one.csv", "cycle,src,dst,flits\n0,0,1,1\n300,0,1,4\n");
  const Json longer = result_of(folder.path(), "x.yaml", {"--set", "energy.cells=osu018"});
  const auto clock = [](const Json& one) { return one.at("energy").at("clock_pj").get<double>(); };
  CHECK(longer.at("window_cycles") == 300 + cycles);
  CHECK(clock(longer) / clock(result) == Approx((300 + cycles) / cycles));
}

TEST_CASE("the parts of a training step's critical path are its cycles, whichever the network",
          "[program]") {
  const std::string example = std::string(FLITCAST_SOURCE) + "/sim/examples/training_step.yaml";
  for (const char* const point : {"0", "1"}) {
    const Folder folder;
    const Json result = result_of(folder.path(), example, {"--point", point});
    CHECK(part(result, "compute") + part(result, "startup") + part(result, "network") +
              part(result, "credits") + part(result, "contention") ==
          part(result, "cycles"));
    // The slowest rank computes for 16 microseconds before its last all-reduce and for 2 after it.
    CHECK(part(result, "compute") >= 18000);
    CHECK(result["completion_cycle"] == part(result, "cycles"));
    CHECK(result["cycles"].get<std::uint64_t>() >= part(result, "cycles"));
  }
}

namespace {

/// A result of the training step on a torus, with these assignments as after --set.
Json training_result(const Arguments& sets) {
  const Folder folder;
  Arguments all{"--point", "0"};
  for (const std::string& one : sets) all.insert(all.end(), {"--set", one});
  return result_of(folder.path(), std::string(FLITCAST_SOURCE) + "/sim/examples/training_step.yaml",
                   all);
}

}  // namespace

TEST_CASE("a straggler's time is in its row of ranks and on the critical path, at both levels",
          "[program]") {
  for (const char* level : {"run.level=flit", "run.level=flow"}) {
    INFO(level);
    const Json even = training_result({level});
    const Json uneven = training_result({level, "workload.stragglers=[{ranks: [9], factor: 2.5}]"});
    for (std::size_t rank = 0; rank < 16; ++rank) {
      const auto cycles = even["ranks"][rank]["compute"].get<double>();
      CHECK(cycles == (rank == 5 ? 18'000 : 16'000));
      CHECK(uneven["ranks"][rank]["compute"] == cycles * (rank == 9 ? 2.5 : 1));
      const auto idle = uneven["ranks"][rank]["idle"].get<double>();
      CHECK(idle + cycles * (rank == 9 ? 2.5 : 1) == Approx(part(uneven, "cycles")));
    }
    // Rank 9 computes for 35 microseconds before its last all-reduce, and for 5 after it.
    CHECK(part(uneven, "compute") == 40'000);
    CHECK(part(uneven, "cycles") > 40'000);
    CHECK(part(uneven, "cycles") < 40'000 + part(even, "cycles") - 18'000);
  }
}

TEST_CASE("noise of computations is the same in every byte with any threads, and another by seed",
          "[program]") {
  const std::string noise = "workload.compute_jitter=0.3";
  const std::string one = repeatable(training_result({noise}));
  for (const char* threads : {"run.threads=2", "run.threads=4"}) {
    CHECK(repeatable(training_result({noise, threads})) == one);
  }
  const Json other = training_result({noise, "seed=2"});
  CHECK(part(other, "cycles") != part(training_result({noise}), "cycles"));
  const Json none = training_result({});
  CHECK(part(other, "cycles") > part(none, "cycles"));
  CHECK(10 * part(other, "cycles") <= 13 * part(none, "cycles"));
}

TEST_CASE("a jitter of 0 and no straggler leave every byte of a result as it is", "[program]") {
  const std::string before = repeatable(training_result({}));
  CHECK(repeatable(training_result({"workload.compute_jitter=0"})) == before);
  CHECK(repeatable(training_result({"workload.stragglers=[]"})) == before);
}

TEST_CASE("impossible stragglers are refused together, with their places", "[program]") {
  const Folder folder;
  write_chakra(folder, "t", {{computation(1, 1), send(2, 1, 16, {1})}, {receive(1, 0, 16)}});
  const auto said = [&](const std::string& keys) {
    folder.write("x.yaml",
                 with_workload("{kind: trace, format: chakra, file: t, " + keys + "}").text());
    return refusal(folder, {"check", "x.yaml"}) + refusal(folder, {"run", "x.yaml"});
  };
  const std::string ranks =
      said("stragglers: [{ranks: [2], factor: 2}, {ranks: [1, 1], factor: 2}]");
  CHECK(says(ranks,
             "x.yaml:3:71: workload.stragglers[0].ranks: 2 is none of the 2 ranks; write ranks "
             "from 0 to 1\n"));
  CHECK(says(ranks, ": workload.stragglers[1].ranks: a rank is named twice; name each once\n"));
  const std::string factors =
      said("compute_jitter: 1.5, stragglers: [{ranks: [0], factor: 0.5}, {ranks: [1]}]");
  CHECK(says(factors, "workload.compute_jitter: 1.5 is too large; write a number from 0 to 1"));
  CHECK(says(factors,
             "workload.stragglers[0].factor: 0.5 is too small; write a number from 1 to 1000"));
  CHECK(says(factors, "workload.stragglers[1].factor: is missing"));
}

TEST_CASE("stragglers of a trace without computations are noted to have no effect", "[program]") {
  const Folder folder;
  folder.write("one.csv", "cycle,src,dst,flits\n0,0,1,4\n");
  folder.write("x.yaml", with_workload("{kind: trace, format: csv, file: one.csv, stragglers: "
                                       "[{ranks: [3], factor: 2}]}")
                             .text());
  CHECK(says(run(folder.path(), {"run", "x.yaml"}).err,
             "note: nothing computes: compute_jitter and stragglers have no effect\n"));
}

TEST_CASE("packets of the latest cycles of a trace are in the latencies", "[program]") {
  const Folder folder;
  folder.write("far.csv", "cycle,src,dst,flits\n0,0,1,3\n1000000000000000000,1,0,1000\n");
  folder.write("x.yaml", with_workload("{kind: trace, format: csv, file: far.csv}").text());
  const Json result = result_of(folder.path(), "x.yaml");
  CHECK(result["packets"]["delivered"] == 2);
  CHECK(result["latency_cycles"]["count"] == 2);
  CHECK(result["latency_cycles"]["max"] > 1000);
}

TEST_CASE("node.startup is charged once a message, however many packets it has", "[program]") {
  const Folder folder;
  write_chakra(folder, "t", {{send(1, 1, 128 * 1024)}, {receive(1, 0, 128 * 1024)}});
  for (const char* mtu : {"4096", "131072"}) {
    for (const char* ports : {"1", "2"}) {
      const Experiment of_mtu =
          with_workload("{kind: trace, format: chakra, file: t, mtu: " + std::string(mtu) + "}");
      const auto cycles = [&](const std::string& startup) {
        Experiment experiment = of_mtu;
        experiment.more = "node: {startup: " + startup + ", ports: " + ports + "}";
        return replay(folder, experiment).result;
      };
      const Json with = cycles("1000");
      INFO(mtu << ", " << ports);
      CHECK(part(with, "cycles") == part(cycles("0"), "cycles") + 1000);
      CHECK(with["critical_path"]["startup"] == 1000);
    }
  }
}

TEST_CASE("buffers that do not cover the credit round trip are noted, with what they leave",
          "[program]") {
  const Folder folder;
  Experiment far;
  far.more = "link: {latency: 500}";
  folder.write("x.yaml", far.text());
  for (const char* command : {"check", "run"}) {
    const std::string err = run(folder.path(), {command, "x.yaml"}).err;
    CHECK(err.find("note: buffers of 8 flits do not cover the credit round trip of 48 of 48 "
                   "channels: a packet gets at most 1.59 % of the worst, packets in all 4 VCs "
                   "at most 6.35 %; set router.buffer_depth to 504\n") != std::string::npos);
  }
  far.more += "\nrouter: {buffer_depth: 504}";
  folder.write("x.yaml", far.text());
  CHECK(run(folder.path(), {"check", "x.yaml"}).err.empty());
  // A line of one VC carries what the note says.
  Experiment line = Experiment{"{kind: mesh, sizes: [2]}", "{kind: dimension_order}",
                               "{kind: trace, format: csv, file: long.csv}"};
  line.more = "link: {latency: 96}\nrouter: {virtual_channels: 1, buffer_depth: 10}";
  folder.write("long.csv", "cycle,src,dst,flits\n0,0,1,10001\n");
  const Replay stalled = replay(folder, line);
  CHECK(stalled.result["cycles"] > 100'000);
  CHECK(stalled.result["cycles"] < 100'300);
}

TEST_CASE("the critical path and the summary name the credit round trip and the algorithm",
          "[program]") {
  const Folder folder;
  write_chakra(folder, "t", ChakraProgram(4, {collective(1, 0, 16384)}));
  Experiment far = with_workload("{kind: trace, format: chakra, file: t}");
  far.topology = "{kind: torus, sizes: [4]}";
  far.more = "link: {latency: 500}";
  folder.write("x.yaml", far.text());
  const std::string out = run(folder.path(), {"run", "x.yaml"}).out;
  INFO(out);
  CHECK(out.find("collective 1 all_reduce of 4 ranks by ring\n") != std::string::npos);
  CHECK(out.find("of waiting for credits (buffers do not cover the round trip), 0 of contention") !=
        std::string::npos);
  const Json result = result_of(folder.path(), "x.yaml");
  CHECK(part(result, "credits") > part(result, "network"));
  CHECK(part(result, "contention") == 0);
  CHECK(result["replayed_collectives"][0]["algorithm"] == "ring");
}

TEST_CASE(
    "a message that fits into a buffer, or takes no link, waits for packets and not for credits",
    "[program]") {
  // Node 0 sends two messages at once; the second waits for the first.
  const auto credits = [](const std::string& topology, std::int64_t flits) {
    const std::int64_t bytes = 16 * (flits - 1);  // Flits carry 16 bytes, a head carries none.
    const Folder folder;
    write_chakra(folder, "t",
                 {{send(1, 1, 16000), send(2, 1, bytes, {}, 1)},
                  {receive(1, 0, 16000), receive(2, 0, bytes, {}, 1)}});
    Experiment far = with_workload("{kind: trace, format: chakra, file: t}");
    far.topology = topology;
    far.more = "link: {latency: 96}\nrouter: {virtual_channels: 1, buffer_depth: 10}";
    const Json result = replay(folder, far).result;
    CHECK(part(result, "contention") >= 1000);
    CHECK(part(result, "messages") == 1);
    return part(result, "credits");
  };
  CHECK(credits("{kind: mesh, sizes: [2]}", 10) == 0);
  CHECK(credits("{kind: cmesh, sizes: [2], tile: [2]}", 100) == 0);
}

TEST_CASE("energy beside a trace that is refused is refused with it", "[program]") {
  const Folder folder;
  folder.write("bad.csv", "cycle,src,dst,flits\n0,0,99,3\n");
  for (const char* file : {"bad.csv", "none.csv"}) {
    Experiment priced =
        with_workload("{kind: trace, format: csv, file: " + std::string(file) + "}");
    priced.more = "energy: {cells: osu018}";
    folder.write("x.yaml", priced.text());
    for (const char* command : {"check", "run"}) {
      CHECK(run(folder.path(), {command, "x.yaml"}).exit_code == 2);
    }
  }
}

TEST_CASE("a packet in flight that was injected in cycle 0 has this cycle in the packet log",
          "[program]") {
  const Folder folder;
  Experiment full;
  full.workload = "{kind: traffic, load: 1, packet_length: 1}";  // A packet of each node a cycle.
  full.measure = "{warmup: 0, window: 3, drain_limit: 0}";
  folder.write("x.yaml", full.text());
  run(folder.path(), {"run", "x.yaml", "--packet-log", "log.csv"});
  std::istringstream rows(folder.read("log.csv"));
  std::string row;
  std::getline(rows, row);
  std::size_t packets = 0;
  for (; std::getline(rows, row); ++packets) {
    INFO(row);
    bool is_there = false;
    for (const char* cells : {",1,0,0,,,,", ",1,1,1,,,,", ",1,2,2,,,,"}) {
      is_there |= row.find(cells) != std::string::npos;
    }
    CHECK(is_there);
  }
  CHECK(packets == 3 * 16);
}

TEST_CASE("the log of packets has a row for every packet, those in flight, too", "[program]") {
  const Folder folder;
  Experiment busy;
  busy.workload =
      "{kind: traffic, classes: [{name: =1+1, load: 0.2, packet_length: 5}, {name: b, load: 0.2}]}";
  folder.write("x.yaml", busy.text());
  const Json result = result_of(folder.path(), "x.yaml", {"--packet-log", "log.csv"});
  std::istringstream rows(folder.read("log.csv"));
  std::uint64_t all = 0, in_flight = 0;
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    ++all;
    if (row.find(",,,,") != std::string::npos) ++in_flight;
    INFO(row);
    CHECK(row.find(",=") == std::string::npos);
  }
  CHECK(all == result["packets"]["created"]);
  CHECK(all - in_flight == result["packets"]["delivered"]);
  CHECK(in_flight > 0);
}
