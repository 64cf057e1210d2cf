// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <filesystem>
#include <vector>

#include "chakra_program.h"
#include "ideal_network.h"
#include "netrace_writer.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/trace_source.h"
#include "workload.h"

using namespace flitcast;

namespace {

Section section(const std::string& format, const std::string& file,
                const std::string& dependencies = "honour") {
  return workload(trace_params(),
                  {{"format", format}, {"file", file}, {"dependencies", dependencies}});
}

const std::string kCsv = "cycle,src,dst,flits,id,deps\n0,1,2,4,1,\n3,2,15,5,2,1\n";

}  // namespace

TEST_CASE("every format replays what its file says, plain or compressed", "[traffic]") {
  const std::string netrace = netrace_bytes({{0, 1, 1, 1, 2, {2}}, {3, 2, 2, 2, 15, {}}});
  const auto [format, content] =
      GENERATE_COPY(table<std::string, std::string>({{"csv", kCsv},
                                                     {"csv", compressed(kCsv)},
                                                     {"netrace", netrace},
                                                     {"netrace", compressed(netrace)}}));
  const TemporaryFile file(content);
  const auto source = make_trace(section(format, file.path()), mesh({4, 4}));
  const auto deliveries = play(*source, 16, [](const Packet&) { return 10; });
  REQUIRE(deliveries.size() == 2);
  CHECK(deliveries[1].packet.created == Cycle{11});
  CHECK(deliveries[1].packet.length == 5);
  CHECK(deliveries[1].packet.destination == NodeId{15});
}

TEST_CASE("dependencies can be ignored", "[traffic]") {
  const TemporaryFile file(kCsv);
  const auto source = make_trace(section("csv", file.path(), "ignore"), mesh({4, 4}));
  CHECK(creation_cycles(play(*source, 16, [](const Packet&) { return 10; })) ==
        std::vector<std::uint64_t>{0, 3});
}

TEST_CASE("packets that leave the network are refused where they stand", "[traffic]") {
  const TemporaryFile file(kCsv);
  CHECK_THAT(complaint([&] {
               make_trace(section("csv", file.path()), mesh({3, 5}));
             }),
             Catch::Contains(":3:5: node 15 is not one of the 15 nodes") &&
                 Catch::Contains("(1 packets leave it)") &&
                 Catch::Contains("use a topology of at least 16 nodes"));
}

TEST_CASE("a file that cannot be read is reported at its key", "[traffic]") {
  CHECK_THAT(complaint([] { make_trace(section("csv", "no/such.csv"), mesh({4})); }),
             Catch::Contains("workload.file: cannot read \"no/such.csv\""));
}

TEST_CASE("a relative path starts in the configuration's folder", "[traffic]") {
  const TemporaryFile file(kCsv);
  const std::filesystem::path path = file.path();
  const Section near_by("workload", {(path.parent_path() / "run.yaml").string(), 1, 1},
                        {{"format", "csv"},
                         {"file", path.filename().string()},
                         {"dependencies", "honour"},
                         {"compute_jitter", 0.0},
                         {"stragglers", nlohmann::json::array()}});
  CHECK(make_trace(near_by, mesh({4, 4}))->packet_count() == 2);
}

namespace {

/// A replay of a program on a line of nodes, and its packets, which arrive 31 cycles after their
/// creation.
struct PlayedProgram {
  std::unique_ptr<TraceSource> source;
  std::vector<Delivery> deliveries;
};

PlayedProgram played_on_a_line(const ChakraProgram& program, const std::string& keys,
                               std::uint64_t seed = 1) {
  const program::Folder folder;
  write_chakra(folder, "t", program);
  PlayedProgram played;
  played.source = make_trace(chakra_section(folder.path(), keys), mesh({program.size()}), seed);
  played.deliveries = play(*played.source, program.size(), [](const Packet&) { return 30; });
  return played;
}

TaskChain chain_on_a_line(const ChakraProgram& program, const std::string& keys) {
  const auto chain = played_on_a_line(program, keys).source->longest_chain();
  REQUIRE(chain);
  return *chain;
}

/// Rank 0 computes for 3 and 5 microseconds, and then rank 1 for 7.
ChakraProgram relay_of_computations() {
  return {{computation(1, 3), computation(2, 5, {1}), send(3, 1, 16, {2})},
          {receive(1, 0, 16), computation(2, 7, {1})}};
}

constexpr std::uint64_t kNoisyCount = 2000;

/// Ranks that compute for a microsecond, time and again, and then send a message to each other.
ChakraProgram noisy_pair(std::int64_t bytes, std::uint64_t micros_of_rank_1) {
  ChakraProgram program(2);
  for (std::uint64_t i = 0; i < kNoisyCount; ++i) {
    for (const std::int64_t rank : {0, 1}) {
      const Ids before = i == 0 ? Ids{} : Ids{3 * i - 3};
      std::vector<ChakraNode>& nodes = program[static_cast<std::size_t>(rank)];
      nodes.push_back(computation(3 * i, rank == 0 ? 1 : micros_of_rank_1, before));
      nodes.push_back(send(3 * i + 1, 1 - rank, bytes, {3 * i}));
      nodes.push_back(receive(3 * i + 2, 1 - rank, bytes));
    }
  }
  return program;
}

/// The cycles of the computations of a rank of the pair, by the cycles of its messages.
std::vector<std::uint64_t> noisy_cycles(std::uint32_t rank, const std::string& keys,
                                        std::uint64_t seed = 1, std::int64_t bytes = 16,
                                        std::uint64_t micros_of_rank_1 = 1) {
  const auto played = played_on_a_line(noisy_pair(bytes, micros_of_rank_1), keys, seed);
  std::vector<std::uint64_t> cycles;
  std::uint64_t last = 0;
  for (const Delivery& delivery : played.deliveries) {
    const std::uint64_t created = index(delivery.packet.created);
    if (delivery.packet.source != NodeId{rank} || created == last) continue;
    cycles.push_back(created - last);
    last = created;
  }
  REQUIRE(cycles.size() == kNoisyCount);
  return cycles;
}

}  // namespace

TEST_CASE("computations of stragglers take their cycles times the factors of the rank",
          "[traffic]") {
  const std::string keys =
      ", clock_mhz: 1, nodes: [1, 0], stragglers: [{ranks: 0, factor: 1.5}, {ranks: [0, 1], "
      "factor: "
      "2}]";
  const auto played = played_on_a_line(relay_of_computations(), keys);
  REQUIRE(played.source->longest_chain());
  CHECK(played.source->longest_chain()->cycles == 3 * (3 + 5) + 31 + 2 * 7);
  CHECK(played.source->longest_chain()->compute == 3 * (3 + 5) + 2 * 7);
  const std::vector<NodeTime> times = played.source->node_times();
  REQUIRE(times.size() == 2);
  CHECK(times[0].compute == 2 * 7);  // Node 0 has rank 1.
  CHECK(times[0].idle == 3 * (3 + 5) + 31);
  CHECK(times[1].compute == 3 * (3 + 5));
  CHECK(times[1].idle == 31 + 2 * 7);
}

TEST_CASE("lengthened computations are rounded to the nearest cycle, each for itself",
          "[traffic]") {
  const auto cycles = [](const std::string& factor) {
    return chain_on_a_line(relay_of_computations(),
                           ", clock_mhz: 1, stragglers: [{ranks: [0], factor: " + factor + "}]")
               .compute -
           7;
  };
  CHECK(cycles("1.25") == 4 + 6);
  CHECK(cycles("1.5") == 5 + 8);
  CHECK(cycles("1") == 3 + 5);
}

TEST_CASE("compute and CPU nodes of a straggler take longer, those of memory do not", "[traffic]") {
  ChakraNode load = computation(1, 9);
  load.type = static_cast<ChakraNode::Type>(2);
  ChakraNode on_cpu = computation(2, 4, {1});
  on_cpu.on_cpu = true;
  const ChakraProgram program{{load, on_cpu, computation(3, 6, {2}), send(4, 1, 16, {3})},
                              {receive(1, 0, 16)}};
  const std::string slow = ", clock_mhz: 1, stragglers: [{ranks: [0, 1], factor: 3}]";
  for (const char* streams : {"", ", streams: {compute: 0, cpu: 0}"}) {
    const TaskChain chain = chain_on_a_line(program, slow + streams);
    CHECK(chain.cycles == 9 + 3 * (4 + 6) + 31);
    CHECK(chain.compute == 9 + 3 * (4 + 6));
  }
  const ChakraProgram sums(2, {collective(1, 0, 64)});
  const std::string adds = ", combine: 0.0001";
  CHECK(chain_on_a_line(sums, slow + adds).cycles ==
        chain_on_a_line(sums, ", clock_mhz: 1" + adds).cycles);
}

TEST_CASE("noise lengthens each computation, uniformly up to the jitter", "[traffic]") {
  std::vector<std::uint64_t> cycles = noisy_cycles(0, ", compute_jitter: 0.4");
  for (const std::uint64_t one : noisy_cycles(1, ", compute_jitter: 0.4")) cycles.push_back(one);
  const auto count = static_cast<double>(cycles.size());
  double sum = 0, low = 0;
  for (const std::uint64_t one : cycles) {
    CHECK(one >= 1000);
    CHECK(one <= 1400);
    sum += static_cast<double>(one);
    low += one < 1100 ? 1 : 0;
  }
  // The margins are four standard deviations.
  const double deviation = 400 / std::sqrt(12);
  CHECK(sum / count == Approx(1200).margin(4 * deviation / std::sqrt(count)));
  CHECK(low / count == Approx(0.25).margin(4 * std::sqrt(0.25 * 0.75 / count)));
}

TEST_CASE("noise of a rank is that of the seed, whatever its messages and the other ranks",
          "[traffic]") {
  const std::string noise = ", compute_jitter: 0.2";
  const std::vector<std::uint64_t> cycles = noisy_cycles(0, noise);
  CHECK(noisy_cycles(0, noise) == cycles);
  CHECK(noisy_cycles(0, noise + ", mtu: 50, streams: {compute: 0}", 1, 140, 3) == cycles);
  CHECK(noisy_cycles(1, noise) != cycles);
  CHECK(noisy_cycles(0, noise, 2) != cycles);
  CHECK(noisy_cycles(0, ", compute_jitter: 0", 2) == noisy_cycles(0, ""));
}

TEST_CASE("a straggler's factor multiplies its noise", "[traffic]") {
  const std::string noise = ", compute_jitter: 0.2";
  const std::vector<std::uint64_t> alone = noisy_cycles(1, noise);
  const std::vector<std::uint64_t> slow =
      noisy_cycles(1, noise + ", stragglers: [{ranks: [1], factor: 2}]");
  for (std::size_t i = 0; i < alone.size(); ++i) {
    CHECK(slow[i] + 1 >= 2 * alone[i]);
    CHECK(slow[i] <= 2 * alone[i] + 1);
  }
}

TEST_CASE("stragglers that the trace does not have are refused together", "[traffic]") {
  const program::Folder folder;
  write_chakra(folder, "t", relay_of_computations());
  const std::string keys =
      ", stragglers: [{ranks: [1, 2], factor: 2}, {ranks: [0, 0], factor: 3}, {ranks: [], factor: "
      "1}]";
  CHECK_THAT(complaint([&] { make_trace(chakra_section(folder.path(), keys), mesh({2})); }),
             Catch::Contains("t.yaml:1:") &&
                 Catch::Contains("workload.stragglers[0].ranks: 2 is none of the 2 ranks; write "
                                 "ranks from 0 to 1") &&
                 Catch::Contains("workload.stragglers[1].ranks: a rank is named twice") &&
                 Catch::Contains("workload.stragglers[2].ranks: names no rank"));
}

TEST_CASE("computations that are lengthened beyond any simulation are refused", "[traffic]") {
  const ChakraProgram program{
      {computation(1, 4'000'000'000'000'000), send(2, 0, 1, {1}), receive(3, 0, 1)}};
  CHECK(chain_on_a_line(program, "").compute == 4'000'000'000'000'000'000);
  CHECK_THAT(
      complaint([&] { played_on_a_line(program, ", stragglers: [{ranks: [0], factor: 2}]"); }),
      Catch::Contains("workload.file: its lengthened computations are beyond any simulation"));
}

TEST_CASE("noise and stragglers without a computation are said to have no effect", "[traffic]") {
  const ChakraProgram program(2, {collective(1, 5, 64)});
  const auto notes = [&](const std::string& keys) {
    return played_on_a_line(program, keys).source->notes();
  };
  const std::vector<std::string> said{
      "nothing computes: compute_jitter and stragglers have no effect"};
  CHECK(notes("").empty());
  CHECK(notes(", compute_jitter: 0.1") == said);
  CHECK(notes(", stragglers: [{ranks: [1], factor: 2}]") == said);
}
