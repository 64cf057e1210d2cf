// SPDX-License-Identifier: Apache-2.0
#include "traffic/chakra_collectives.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "chakra_program.h"
#include "collective/catalog.h"
#include "ideal_network.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::int64_t kBytes = 1000;

/// A program in which every rank has one collective, of kBytes bytes.
ChakraProgram one_collective(std::size_t ranks, std::int64_t type) {
  return ChakraProgram(ranks, {collective(0, type, kBytes)});
}

/// Flits of one byte, so that the length of a packet minus its header flit is its number of bytes.
const std::string kBytewise = ", flit_bytes: 1, mtu: 65535";

std::vector<Delivery> replayed(const Trace& trace, std::size_t nodes, std::uint64_t latency) {
  TraceSource source(trace, nodes);
  const auto deliveries = play(source, nodes, [=](const Packet&) { return latency; });
  CHECK(source.all_created());
  return deliveries;
}

std::uint64_t payload(const std::vector<Delivery>& deliveries) {
  std::uint64_t bytes = 0;
  for (const Delivery& delivery : deliveries) bytes += delivery.packet.length - 1;
  return bytes;
}

std::uint64_t ceil_log2(std::size_t p) {
  std::uint64_t k = 0;
  while ((std::size_t{1} << k) < p) ++k;
  return k;
}

/// The known cost of an algorithm on p ranks.
struct Known {
  std::int64_t type;
  const char* key;
  std::function<std::uint64_t(std::uint64_t p)> messages;
  std::function<std::uint64_t(std::uint64_t p)> payload;
  std::function<std::uint64_t(std::uint64_t p)> rounds;
};

const auto kAllPairs = [](std::uint64_t p) { return p * (p - 1); };
const auto kOthers = [](std::uint64_t p) { return p - 1; };
const auto kFromOthers = [](std::uint64_t p) { return (p - 1) * kBytes; };
const auto kDoublings = [](std::uint64_t p) { return ceil_log2(p); };
const auto kAllDoublings = [](std::uint64_t p) { return p * ceil_log2(p); };

// Chunks for other ranks are rounded up to whole bytes.
const std::vector<Known> kKnown{
    {0, "all_reduce: unicast_rounds", kAllDoublings,
     [](std::uint64_t p) { return p * ceil_log2(p) * kBytes; }, kDoublings},
    {1, "reduce: unicast_rounds", kOthers, kFromOthers, kDoublings},
    {2, "all_gather: unicast_rounds", kAllPairs,
     [](std::uint64_t p) { return p * (p - 1) * kBytes; }, kOthers},
    {3, "gather: unicast_rounds", kOthers, kFromOthers, kOthers},
    {4, "scatter: unicast_rounds", kOthers,
     [](std::uint64_t p) { return (p - 1) * ((kBytes + p - 1) / p); }, kOthers},
    {5, "broadcast: unicast_rounds", kOthers, kFromOthers, kDoublings},
    {6, "all_to_all: unicast_rounds", kAllPairs,
     [](std::uint64_t p) { return p * (p - 1) * ((kBytes + p - 1) / p); }, kOthers},
    {9, "barrier: unicast_rounds", kAllDoublings, kAllDoublings, kDoublings},
    // In each round of a ring all blocks of a vector of kBytes are in flight.
    {0, "all_reduce: ring", [](std::uint64_t p) { return 2 * p * (p - 1); },
     [](std::uint64_t p) { return 2 * (p - 1) * kBytes; },
     [](std::uint64_t p) { return 2 * (p - 1); }},
    {7, "reduce_scatter: ring", kAllPairs, kFromOthers, kOthers},
    {2, "all_gather: bruck", kAllDoublings, [](std::uint64_t p) { return p * (p - 1) * kBytes; },
     kDoublings},
    {5, "broadcast: binomial", kOthers, kFromOthers, kDoublings},
};

}  // namespace

TEST_CASE(
    "a collective sends as many messages and bytes as its algorithm is known for, in its rounds",
    "[traffic]") {
  for (const Known& known : kKnown) {
    for (const std::size_t p : {2, 3, 4, 5, 7, 8, 13}) {
      const bool doubles = std::string(known.key) == "all_reduce: unicast_rounds";
      if (doubles && (p & (p - 1)) != 0) continue;
      INFO(known.key << " on " << p << " ranks");
      const Trace trace = read_program(one_collective(p, known.type),
                                       kBytewise + ", collectives: {" + known.key + "}");
      const auto deliveries = replayed(trace, p, 10);
      CHECK(deliveries.size() == known.messages(p));
      CHECK(payload(deliveries) == known.payload(p));
      // Rounds consist of equal messages and start a cycle after the arrivals of the previous
      // round; ranks that send to a root do not wait for rounds in which they send nothing.
      const std::uint64_t end = index(deliveries.back().arrival) + 1;
      const bool to_root = known.type == 1 || known.type == 3;
      CHECK(end <= known.rounds(p) * 11);
      if (!to_root) CHECK(end == known.rounds(p) * 11);
    }
  }
}

TEST_CASE(
    "every algorithm that can be chosen replays every collective that it is for, or says why not",
    "[traffic]") {
  std::size_t replays = 0;
  for (const Param& param : collective_replay_params()) {
    if (param.choices.empty()) continue;
    const std::string operation = param.key.substr(param.key.find('.') + 1);
    const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& one) {
      return std::string(one.key).rfind(operation + ":", 0) == 0;
    });
    REQUIRE(known != kKnown.end());
    CHECK(std::count(param.choices.begin(), param.choices.end(), param.fallback) == 1);
    for (const std::string& algorithm : param.choices) {
      for (const std::size_t p : {1, 2, 3, 8}) {
        INFO(operation << " by " << algorithm << " on " << p << " ranks");
        ChakraProgram program = one_collective(p, known->type);
        program[0].push_back(send(1, 0, 1, {0}));  // A trace needs at least one packet.
        program[0].push_back(receive(2, 0, 1));
        const std::string keys = ", collectives: {" + operation + ": " + algorithm + "}";
        const std::string fault = fault_of(program, keys);
        if (!fault.empty()) {
          CHECK_THAT(fault, Catch::Contains("t.yaml:1:") && Catch::Contains(param.key + ": "));
          CHECK(p == 3);
          continue;
        }
        CHECK_FALSE(replayed(read_program(program, keys), p, 10).empty());
        ++replays;
      }
    }
  }
  CHECK(replays >= 4 * kKnown.size() - 1);
}

TEST_CASE("all-reduce, all-gather and reduce-scatter go around a ring unless a key says otherwise",
          "[traffic]") {
  const ChakraProgram program(
      4, {collective(0, 0, kBytes), collective(1, 2, kBytes), collective(2, 8, kBytes),
          collective(3, 7, kBytes), collective(4, 6, kBytes)});
  const Trace trace = read_program(program);
  REQUIRE(trace.collectives.size() == 4);
  const char* const operations[] = {"all_reduce", "all_gather", "all_to_all", "reduce_scatter"};
  const char* const algorithms[] = {"ring", "ring", "unicast_rounds", "ring"};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(trace.collectives[i].operation == operations[i]);
    CHECK(trace.collectives[i].algorithm == algorithms[i]);
    CHECK(trace.collectives[i].ranks == 4);
    CHECK(trace.collectives[i].count == (i == 3 ? 2 : 1));
  }
}

TEST_CASE("adding up a message takes its bytes at the rate of the experiment, or a note says none",
          "[traffic]") {
  const auto cycles = [](std::int64_t type, const std::string& keys) {
    const ChakraProgram program(4, {collective(0, type, 4000)});
    TraceSource source(read_program(program, kBytewise + keys), 4);
    play(source, 4, [](const Packet&) { return 10; });
    REQUIRE(source.longest_chain());
    CHECK(source.notes().size() == (keys.empty() && (type == 0 || type == 7) ? 1 : 0));
    return source.longest_chain()->cycles;
  };
  // In a ring the first 3 of 6 rounds of an all-reduce bring sums of 1000 bytes.
  CHECK(cycles(0, "") == 6 * 11);
  CHECK(cycles(0, ", combine: 2") == 6 * 11 + 3 * 500);
  CHECK(cycles(0, ", combine: 2, clock_mhz: 500") == 6 * 11 + 3 * 250);
  CHECK(cycles(0, ", compute: {memory: 3}") == 6 * 11 + 3 * 1000);
  CHECK(cycles(7, ", combine: 2") == 3 * 11 + 3 * 500);
  CHECK(cycles(0, ", combine: 2, collectives: {all_reduce: unicast_rounds}") == 2 * 11 + 2 * 2000);
  // Nothing is added up here.
  CHECK(cycles(2, ", combine: 2") == 3 * 11);
  CHECK(cycles(9, "") == 2 * 11);
  CHECK(cycles(6, "") == 3 * 11);
}

TEST_CASE("a reduce-scatter is a reduce and then a scatter of the sum if the key says so",
          "[traffic]") {
  for (const std::int64_t type : {7, 8}) {
    for (const std::size_t p : {1, 2, 3, 4, 8}) {
      INFO("type " << type << " on " << p << " ranks");
      ChakraProgram program = one_collective(p, type);
      program[0].push_back(send(1, 0, 1));  // A trace needs at least one packet.
      program[0].push_back(receive(2, 0, 1));
      const auto deliveries = replayed(
          read_program(program, kBytewise + ", collectives: {reduce_scatter: reduce_then_scatter}"),
          p, 10);
      CHECK(deliveries.size() == 2 * (p - 1) + 1);
      CHECK(payload(deliveries) == (p - 1) * (kBytes + (kBytes + p - 1) / p) + 1);
      // The root begins to scatter when it has the sum; it sends to one rank after another.
      const std::uint64_t root = (p == 3 ? 1 : ceil_log2(p)) * 11;
      if (p > 1) CHECK(index(deliveries.back().arrival) + 1 == root + (p - 1) * 11);
    }
  }
  ChakraProgram both(2, {collective(0, 7, 8)});
  both[1] = {collective(0, 8, 8)};
  CHECK(fault_of(both).empty());
}

TEST_CASE("no rank leaves a barrier before the last has arrived", "[traffic]") {
  ChakraProgram program(5);
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    program[rank] = {computation(0, rank == 3 ? 7 : 1), collective(1, 9, 0, {0}),
                     send(2, static_cast<std::int64_t>(rank), 8, {1}),
                     receive(3, static_cast<std::int64_t>(rank), 8)};
  }
  const auto deliveries = replayed(read_program(program), 5, 10);
  std::size_t behind = 0;
  for (const Delivery& delivery : deliveries) {
    if (delivery.packet.source != delivery.packet.destination) continue;
    CHECK(delivery.packet.created > Cycle{7000});
    ++behind;
  }
  CHECK(behind == 5);
}

TEST_CASE(
    "collectives of one group come in the order of the files, and what depends on one waits for it",
    "[traffic]") {
  // The second collective does not depend on the first, and both start at once.
  const ChakraProgram two(4, {collective(3, 0, 400), collective(1, 2, 100)});
  const std::string rounds =
      kBytewise + ", collectives: {all_reduce: unicast_rounds, all_gather: unicast_rounds}";
  const auto deliveries = replayed(read_program(two, rounds), 4, 10);
  CHECK(payload(deliveries) == 4 * 2 * 400 + 4 * 3 * 100);
  CHECK(index(deliveries.back().arrival) + 1 == 3 * 11);
  const ChakraProgram chained(4, {collective(3, 0, 400), collective(1, 2, 100, {3})});
  CHECK(index(replayed(read_program(chained, rounds), 4, 10).back().arrival) + 1 == (2 + 3) * 11);
}

TEST_CASE("a group exchanges among its ranks only, which count in its order", "[traffic]") {
  const std::string groups =
      ", groups: [{name: a, ranks: [3, 0]}, {name: b, ranks: [1, 2]}], nodes: [10, 11, 12, 13]";
  ChakraProgram program;
  for (const char* group : {"a", "b", "b", "a"})
    program.push_back({collective(0, 5, 64, {}, group)});
  const auto deliveries = replayed(read_program(program, groups), 14, 10);
  REQUIRE(deliveries.size() == 2);
  std::map<NodeId, NodeId> ways;
  for (const Delivery& delivery : deliveries) ways[delivery.packet.source] = delivery.node;
  CHECK(ways == std::map<NodeId, NodeId>{{NodeId{13}, NodeId{10}}, {NodeId{11}, NodeId{12}}});
}

TEST_CASE("without groups in the experiment all ranks take part, whatever the name", "[traffic]") {
  const ChakraProgram program(3, {collective(0, 9, 0, {}, "world")});
  const Trace trace = read_program(program);
  CHECK(replayed(trace, 3, 10).size() == 6);
  CHECK(trace.notes == std::vector<std::string>{"all ranks take part in the collectives of "
                                                "\"world\"; set workload.groups if others do"});
}

TEST_CASE("groups that cannot be are refused at their place", "[traffic]") {
  const ChakraProgram program(3, {collective(0, 9, 0)});
  const std::string text =
      fault_of(program, ", groups: [{name: a, ranks: [0, 3]}, {name: a, ranks: [1, 1]}]");
  CHECK_THAT(text, Catch::Contains("workload.groups[0].ranks: 3 is none of the 3 ranks") &&
                       Catch::Contains("workload.groups[1].ranks: a rank is named twice") &&
                       Catch::Contains("workload.groups[1].name: \"a\" is another group's"));
  CHECK_THAT(fault_of(program, ", groups: [{name: a, ranks: []}]"),
             Catch::Contains("workload.groups[0].ranks: "));
}

TEST_CASE("collectives that do not match are refused with file, byte and node", "[traffic]") {
  ChakraProgram lonely(3, {collective(0, 0, 8)});
  lonely[1].push_back(collective(7, 9, 0));
  CHECK_THAT(fault_of(lonely),
             Catch::Contains("t.1.et: at byte") &&
                 Catch::Contains("node 7 of t.1.et: rank 0 has no such collective"));
  ChakraProgram absent(3, {collective(0, 0, 8)});
  absent[2].clear();
  CHECK_THAT(fault_of(absent), Catch::Contains("node 0 of t.0.et: rank 2 has no such collective"));
  ChakraProgram sizes(2, {collective(0, 0, 8)});
  sizes[1] = {collective(4, 0, 9)};
  CHECK_THAT(fault_of(sizes), Catch::Contains("node 0 of t.0.et: node 4 of t.1.et is another "
                                              "operation, or of another comm_size"));
  sizes[1] = {collective(4, 2, 8)};
  CHECK_THAT(fault_of(sizes), Catch::Contains("is another operation"));
  const ChakraProgram stranger(2, {collective(0, 0, 8, {}, "x")});
  CHECK_THAT(fault_of(stranger, ", groups: [{name: a, ranks: [0, 1]}]"),
             Catch::Contains("rank 0 is not in the group \"x\"") &&
                 Catch::Contains("rank 1 is not in the group \"x\"") &&
                 Catch::Contains("name its ranks in workload.groups"));
}

TEST_CASE("collectives of unknown types and sizes are refused", "[traffic]") {
  ChakraNode untyped = collective(1, 0, 8);
  untyped.collective.reset();
  const std::string text = fault_of(
      {{untyped, collective(2, 10, 8), collective(3, 0, -8), collective(4, 0, 1LL << 40)}});
  CHECK_THAT(text, Catch::Contains("node 1: comm_type is missing") &&
                       Catch::Contains("node 2: comm_type is 10; use types 0") &&
                       Catch::Contains("node 3: comm_size is -8") &&
                       Catch::Contains("node 4: comm_size is 1099511627776"));
}

TEST_CASE("ranks that wait for each other across collectives are refused by the names of the nodes",
          "[traffic]") {
  // One rank lists the all-reduce before the message, the other one after it.
  CHECK_THAT(fault_of({{collective(0, 0, 8), send(1, 1, 4, {0})},
                       {receive(1, 0, 4), collective(2, 0, 8, {1})}}),
             Catch::Contains("waits for") && Catch::Contains("node 0 of t.0.et") &&
                 Catch::Contains("node 2 of t.1.et"));
}
