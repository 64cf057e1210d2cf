// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "chakra_program.h"
#include "ideal_network.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/trace_source.h"

using namespace flitcast;

namespace {

std::string fault_of_bytes(const std::string& rank_0) {
  const program::Folder folder;
  folder.write("t.0.et", rank_0);
  return fault_in(folder);
}

ChakraNode of_type(int type) {
  ChakraNode node;
  node.type = static_cast<ChakraNode::Type>(type);
  return node;
}

/// Two ranks exchange 100 bytes and compute in between.
ChakraProgram ping_pong() {
  return {{computation(0, 2), send(1, 1, 100, {0}), receive(2, 1, 100)},
          {receive(0, 0, 100), computation(1, 3, {0}), send(2, 0, 100, {1})}};
}

/// Returns a file with the field types that another writer would choose.
std::string in_other_words() {
  std::string schema;
  protozero::pbf_writer metadata(schema);
  add_message(metadata, 2, [](protozero::pbf_writer& attribute) {
    attribute.add_string(1, "schema");
    attribute.add_string(29, "1.0.2-chakra.0.0.4");
  });
  std::string first;
  protozero::pbf_writer node(first);  // The missing id stands for 0.
  node.add_enum(3, 4);
  add_message(node, 10, [](protozero::pbf_writer& attribute) {
    attribute.add_string(1, "runtime");
    attribute.add_uint64(13, 5);
  });
  std::string second;
  protozero::pbf_writer to_itself(second);
  to_itself.add_uint64(1, 7);
  to_itself.add_enum(3, 5);
  to_itself.add_uint64(4, 0);  // The dependencies are not packed.
  to_itself.add_uint64(5, 0);
  for (const auto& [name, value] :
       std::map<std::string, std::int32_t>{{"comm_dst", 0}, {"comm_size", 20}, {"comm_tag", 0}}) {
    add_message(to_itself, 10, [&, n = name, v = value](protozero::pbf_writer& attribute) {
      attribute.add_string(1, n);
      attribute.add_sint32(15, v);
    });
  }
  return delimited(schema) + delimited(first) + delimited(second) + chakra_node(receive(8, 0, 20));
}

}  // namespace

TEST_CASE("a node becomes a task where its rank is, with its time and its place in the file",
          "[traffic]") {
  const Trace trace = read_program(ping_pong(), ", nodes: [5, 3], clock_mhz: 1200");
  REQUIRE(trace.tasks.size() == 6);
  CHECK(trace.tasks[0].delay == 2 * 1200);
  CHECK_FALSE(trace.tasks[0].sends());
  CHECK(trace.tasks[1].source == NodeId{5});
  CHECK(trace.tasks[1].destination == NodeId{3});
  // The message has a header flit, and 100 bytes in flits of 16.
  CHECK(trace.tasks[1].length == 1 + 7);
  CHECK(trace.tasks[4].delay == 3 * 1200);
  CHECK(trace.tasks[5].source == NodeId{3});
  CHECK(trace.tasks[0].origin == chakra_metadata("0.0.4").size());
  CHECK(trace.file_of(2).name.find("t.0.et") != std::string::npos);
  CHECK(trace.file_of(3).name.find("t.1.et") != std::string::npos);
}

TEST_CASE("computing delays what follows, and a message takes its time in between", "[traffic]") {
  const program::Folder folder;
  write_chakra(folder, "t", ping_pong());
  const auto source = make_trace(chakra_section(folder.path()), mesh({2}));
  const auto deliveries = play(*source, 2, [](const Packet&) { return 30; });
  REQUIRE(deliveries.size() == 2);
  CHECK(deliveries[0].packet.created == Cycle{2000});
  CHECK(deliveries[1].packet.created == Cycle{2031 + 3000});
  const auto chain = source->longest_chain();
  REQUIRE(chain);
  CHECK(chain->cycles == 2031 + 3031);
  CHECK(chain->compute == 5000);
  CHECK(chain->messages.size() == 2);
}

TEST_CASE("a message is cut at the MTU, and done with its last packet", "[traffic]") {
  const ChakraProgram program{{send(3, 1, 250), computation(4, 1, {3}), send(5, 1, 0, {4})},
                              {receive(0, 0, 250), receive(1, 0, 0)}};
  const Trace trace = read_program(program, ", mtu: 100, flit_bytes: 10");
  std::vector<std::uint32_t> lengths;
  for (const TraceTask& task : trace.tasks) {
    if (task.sends()) lengths.push_back(task.length);
  }
  CHECK(lengths == std::vector<std::uint32_t>{11, 11, 6, 1});
  TraceSource source(trace, 2);
  const auto deliveries =
      play(source, 2, [](const Packet& packet) { return packet.length == 6 ? 20 : 70; });
  REQUIRE(deliveries.size() == 4);
  CHECK(deliveries.back().packet.created == Cycle{71 + 1000});
  REQUIRE(source.longest_chain());
  CHECK(source.longest_chain()->messages.back().cycles == 71);
}

TEST_CASE("one byte more than the MTU is a packet more, and a message counts all of them",
          "[traffic]") {
  for (const std::int64_t bytes : {99, 100, 101, 200, 201}) {
    INFO(bytes << " bytes");
    const std::string keys = ", mtu: 100, flit_bytes: 1";
    TraceSource source(read_program({{send(1, 1, bytes)}, {receive(2, 0, bytes)}}, keys), 2);
    std::uint64_t latency = 10;  // The packets arrive in the reverse order of their creation.
    CHECK(play(source, 2, [&](const Packet&) { return ++latency; }).size() ==
          static_cast<std::size_t>((bytes + 99) / 100));
    REQUIRE(source.longest_chain());
    const TaskChain::Message message = source.longest_chain()->messages.at(0);
    CHECK(message.packets == (bytes + 99) / 100);
    CHECK(message.flits == static_cast<std::uint64_t>(bytes) + message.packets);
  }
}

TEST_CASE("a receive waits for its dependencies and for the send of its tag, first for first",
          "[traffic]") {
  const ChakraProgram program{
      {send(0, 1, 16, {}, 7), send(1, 1, 32, {}, 8), send(2, 1, 48, {}, 7)},
      {receive(0, 0, 32, {}, 8), receive(1, 0, 16, {}, 7), receive(2, 0, 48, {1}, 7),
       send(3, 0, 1, {2}), computation(4, 50), send(5, 0, 2, {4, 0})},
  };
  ChakraProgram both = program;
  both[0].push_back(receive(3, 1, 1));
  both[0].push_back(receive(4, 1, 2));
  TraceSource source(read_program(both, ", clock_mhz: 1"), 2);
  // Messages of 16, 32 and 48 bytes have 2, 3 and 4 flits.
  const auto deliveries = play(source, 2, [](const Packet& packet) {
    return packet.length == 2 ? 10 + 10 * (packet.source == NodeId{1}) : 10 * packet.length;
  });
  REQUIRE(deliveries.size() == 5);
  CHECK(deliveries[3].packet.created == Cycle{41});  // This send waits for the 48 bytes with tag 7.
  CHECK(deliveries[4].packet.created == Cycle{50});  // This send waits for 50 cycles and 32 bytes.
}

TEST_CASE("other encodings of the same trace are understood", "[traffic]") {
  const program::Folder folder;
  folder.write("t.0.et", in_other_words());
  const auto source = make_trace(chakra_section(folder.path(), ", clock_mhz: 10"), mesh({1}));
  const auto deliveries = play(*source, 1, [](const Packet&) { return 3; });
  REQUIRE(deliveries.size() == 1);
  CHECK(deliveries[0].packet.created == Cycle{50});
  CHECK(deliveries[0].packet.length == 3);
}

TEST_CASE("memory nodes take their time and metadata takes none", "[traffic]") {
  for (const int type : {1, 2, 3, 4}) {
    ChakraNode node = of_type(type);
    node.micros = 9;
    const Trace trace = read_program({{node, send(1, 0, 1, {0}), receive(2, 0, 1)}});
    CHECK(trace.tasks[0].delay == (type == 1 ? 0 : 9000));
  }
}

namespace {

/// A node with an amount of work; its rank then sends itself a byte.
std::vector<ChakraNode> worker(std::uint64_t micros, std::optional<std::int64_t> operations,
                               std::optional<std::int64_t> moved, int type = 4) {
  ChakraNode node = of_type(type);
  node.micros = micros;
  node.operations = operations;
  node.moved = moved;
  return {node, send(1, 0, 1, {0}), receive(2, 0, 1)};
}

std::uint64_t cycles_of(const std::vector<ChakraNode>& rank, const std::string& keys) {
  return read_program({rank}, keys).tasks[0].delay;
}

/// The cycle in which a rank that only computes, and then sends a byte, sends it.
std::uint64_t end_of(std::vector<ChakraNode> kernels, const std::string& keys = "") {
  Ids all;
  for (const ChakraNode& kernel : kernels) all.push_back(kernel.id);
  kernels.push_back(send(100, 0, 1, all));
  kernels.push_back(receive(101, 0, 1));
  TraceSource source(read_program({kernels}, keys), 1);
  return index(play(source, 1, [](const Packet&) { return 5; }).at(0).packet.created);
}

ChakraNode on_cpu(ChakraNode node) {
  node.on_cpu = true;
  return node;
}

}  // namespace

TEST_CASE("a kernel with num_ops takes the larger of its times for arithmetic and memory",
          "[traffic]") {
  const std::string both = ", compute: {peak: 100, memory: 1000}";
  CHECK(cycles_of(worker(0, 2'000'000'000, 1'000'000), both) == 20'000);
  CHECK(cycles_of(worker(0, 1'000'000, 10'000'000), both) == 10'000);
  CHECK(cycles_of(worker(7, 2'000'000'000, 0), both) == 20'000);
  CHECK(cycles_of(worker(7, 2'000'000'000, 0), "") == 7'000);
  CHECK(cycles_of(worker(0, 2'000'000'000, {}), ", compute: {peak: 100}, clock_mhz: 500") ==
        10'000);
  CHECK(cycles_of(worker(0, {}, 3'000'000, 2), both) == 3'000);
  CHECK(cycles_of(worker(4, {}, 3'000'000, 2), both) == 4'000);
}

TEST_CASE("work without a duration is refused unless the experiment has a rate for it",
          "[traffic]") {
  CHECK_THAT(fault_of({worker(0, 500, {})}),
             Catch::Contains("node 0: num_ops is 500, and there is no duration; set "
                             "workload.compute.peak to the TFLOP/s of a rank"));
  CHECK_THAT(fault_of({worker(0, {}, 64)}, ", compute: {peak: 9}"),
             Catch::Contains("node 0: tensor_size is 64, and there is no duration; set "
                             "workload.compute.memory to the GB/s"));
  CHECK_THAT(fault_of({worker(0, {}, 64, 3)}), Catch::Contains("set workload.compute.memory"));
  CHECK_THAT(fault_of({worker(1, -5, {})}), Catch::Contains("num_ops of node 0 is -5"));
}

TEST_CASE("compute nodes that state no time are counted in a note", "[traffic]") {
  std::vector<ChakraNode> rank = worker(0, {}, {});
  rank.push_back(computation(3, 0));
  rank.push_back(computation(4, 1));
  const Trace trace = read_program({rank});
  REQUIRE(trace.notes.size() == 1);
  CHECK_THAT(trace.notes[0],
             Catch::StartsWith("compute nodes without a duration, num_ops or tensor_size take no "
                               "time: 2; "));
  CHECK(read_program(ping_pong()).notes.empty());
}

TEST_CASE("independent kernels of a rank take their turns by ascending id", "[traffic]") {
  CHECK(end_of({computation(1, 10), computation(2, 10)}) == 20'000);
  CHECK(end_of({computation(1, 10), computation(2, 10)}, ", streams: {compute: 2}") == 10'000);
  CHECK(end_of({computation(1, 10), computation(2, 10)}, ", streams: {compute: 0}") == 10'000);
  CHECK(end_of({computation(1, 3), computation(2, 5), computation(3, 4)},
               ", streams: {compute: 2}") == 7'000);
  // Kernel 3 begins last, and a message that waits for kernel 9 waits for kernel 5 as well.
  ChakraProgram program{{computation(9, 4), computation(5, 1), computation(12, 2),
                         send(100, 0, 1, {9}), receive(101, 0, 1)}};
  TraceSource source(read_program(program), 1);
  CHECK(play(source, 1, [](const Packet&) { return 5; }).at(0).packet.created == Cycle{5'000});
  REQUIRE(source.longest_chain());
  CHECK(source.longest_chain()->cycles == 7'000);
  CHECK(source.longest_chain()->compute == 7'000);
}

TEST_CASE("kernels, CPU nodes and memory nodes of a rank work beside one another", "[traffic]") {
  ChakraNode load = of_type(2);
  load.id = 7;
  load.micros = 12;
  CHECK(end_of({on_cpu(computation(1, 6)), computation(2, 4), on_cpu(computation(3, 5)),
                computation(4, 9), load}) == 13'000);
  CHECK(end_of({on_cpu(computation(1, 6)), on_cpu(computation(3, 5))}, ", streams: {cpu: 2}") ==
        6'000);
  CHECK(end_of({load, computation(2, 4)}) == 12'000);
}

TEST_CASE("a collective of the CPU without a comm_type takes its time and sends nothing",
          "[traffic]") {
  ChakraNode wrapper = on_cpu(collective(1, 0, 64));
  wrapper.collective.reset();
  wrapper.micros = 2;
  ChakraProgram program(2, {wrapper, collective(2, 0, 64, {1})});
  TraceSource source(read_program(program), 2);
  const auto deliveries = play(source, 2, [](const Packet&) { return 5; });
  CHECK(deliveries.size() == 4);
  CHECK(deliveries.at(0).packet.created == Cycle{2'000});
  REQUIRE(source.notes().size() == 2);
  CHECK(source.notes()[1] == "collectives with is_cpu_op and no comm_type send nothing: 2");
}

TEST_CASE("a nodes list that does not fit the ranks is refused", "[traffic]") {
  CHECK_THAT(fault_of(ping_pong(), ", nodes: [1, 2, 3]"),
             Catch::Contains("workload.nodes: 3 nodes for 2 ranks"));
  CHECK_THAT(fault_of(ping_pong(), ", nodes: [4, 4]"),
             Catch::Contains("workload.nodes: two ranks are on one node"));
  const program::Folder folder;
  write_chakra(folder, "t", {{computation(0, 1)}, {send(3, 2, 1)}, {receive(4, 1, 1)}});
  CHECK_THAT(complaint([&] { make_trace(chakra_section(folder.path()), mesh({2})); }),
             Catch::Contains("t.1.et: at byte 8: node 2 is not one of the 2 nodes") &&
                 Catch::Contains("at least 3 nodes"));
}

TEST_CASE("keys that mean nothing for the trace are refused", "[traffic]") {
  CHECK_THAT(fault_of(ping_pong(), ", dependencies: ignore"),
             Catch::Contains("workload.dependencies: "));
  CHECK_THAT(fault_of(ping_pong(), ", mtu: 65536, flit_bytes: 1"),
             Catch::Contains("workload.mtu: packets of 65536 bytes would have more than 65536"));
  CHECK(fault_of(ping_pong(), ", mtu: 65535, flit_bytes: 1").empty());
}

TEST_CASE("files that are no whole trace are refused with the key", "[traffic]") {
  const program::Folder folder;
  CHECK_THAT(fault_in(folder), Catch::Contains("leads to no files NAME.RANK.et"));
  CHECK_THAT(fault_in(folder, "no/such"), Catch::Contains("leads to no files NAME.RANK.et"));
  folder.write("LICENSE", "free");
  folder.write("t.x.et", "no rank");
  write_chakra(folder, "t", ping_pong());
  CHECK(fault_in(folder).empty());
  CHECK(fault_in(folder, "t").empty());
  folder.write("t.00.et", "again");
  CHECK_THAT(fault_in(folder), Catch::Contains("is rank 0 again"));
  std::filesystem::remove(folder.path() / "t.00.et");
  folder.write("t.3.et", "far");
  CHECK_THAT(fault_in(folder), Catch::Contains("rank 2 is missing although there is"));
  folder.write("t.9.et", "farther");
  CHECK_THAT(fault_in(folder), Catch::Contains("ranks 4 to 8 are missing"));
  folder.write("other.0.et", "other");
  CHECK_THAT(fault_in(folder), Catch::Contains("holds several traces, of \"other\" and \"t\"") &&
                                   Catch::Contains("name one of them: FOLDER/other"));
}

TEST_CASE("a version that is not known is refused", "[traffic]") {
  CHECK_THAT(fault_of_bytes(chakra_bytes({}, "0.0.5")),
             Catch::Contains("FOLDER/t.0.et: at byte 0: \"0.0.5\" is no known version"));
  CHECK_THAT(fault_of_bytes(chakra_bytes({}, "")), Catch::Contains("has no version"));
  CHECK_THAT(fault_of_bytes(chakra_node(computation(1, 2))), Catch::Contains("has no version"));
  CHECK_THAT(fault_of_bytes(""), Catch::Contains("the file ends within a message"));
  CHECK_THAT(fault_of_bytes(chakra_bytes({computation(1, 2)})), Catch::Contains("no packets"));
}

TEST_CASE("errors in nodes are reported together, with file, byte and node", "[traffic]") {
  ChakraNode stranger = send(4, 1, 8);
  stranger.source = 1;
  ChakraNode nowhere = receive(5, 0, 8);
  nowhere.source.reset();
  ChakraNode sizeless = send(6, 1, 8);
  sizeless.bytes.reset();
  const std::string text = fault_of(
      {{computation(1, 1), computation(1, 1), of_type(8), send(2, 2, 8), send(3, 1, -1), stranger},
       {nowhere, sizeless, computation(7, ~std::uint64_t{0}), receive(8, -1, 8)}});
  INFO(text);
  const std::size_t second =
      chakra_metadata("0.0.4").size() + chakra_node(computation(1, 1)).size();
  for (const std::string& part :
       {"FOLDER/t.0.et: at byte " + std::to_string(second) + ": node 1: its id is already",
        std::string("node 0 has the unknown type 8; use types 1"),
        std::string("node 2: comm_dst is 2, and there are 2 ranks; write a rank from 0 to 1"),
        std::string("node 3: comm_size is -1; write a number of bytes from 0 to"),
        std::string("node 4: comm_src is 1 in the file of rank 0"),
        std::string("FOLDER/t.1.et: at byte 8: node 5: comm_src is missing"),
        std::string("node 6: comm_size is missing"),
        std::string("node 7: its duration is beyond any simulation"),
        std::string("node 8: comm_src is -1, and there are 2 ranks")}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
  CHECK(std::count(text.begin(), text.end(), '\n') == 8);
}

TEST_CASE("computations that overflow only together are refused", "[traffic]") {
  const std::uint64_t half = kMaxTraceCycle / 1000 / 2 + 1;
  CHECK(fault_of({{computation(0, half), send(1, 0, 1, {0}), receive(2, 0, 1)}}).empty());
  CHECK_THAT(fault_of({{computation(0, half)}, {computation(0, half)}}),
             Catch::Contains("t.1.et") && Catch::Contains("beyond any simulation"));
}

TEST_CASE("sends and receives that do not belong together are refused", "[traffic]") {
  CHECK_THAT(
      fault_of({{send(1, 1, 8), send(2, 1, 8, {}, 5)}, {receive(4, 0, 8, {}, 6)}}),
      Catch::Contains("FOLDER/t.0.et: at byte 8: node 1 of t.0.et: this send has no matching") &&
          Catch::Contains("node 2 of t.0.et: this send has no matching") &&
          Catch::Contains("node 4 of t.1.et: this receive has no matching send"));
  CHECK_THAT(fault_of({{send(1, 1, 8)}, {receive(4, 0, 9)}}),
             Catch::Contains("node 4 of t.1.et: receives 9 bytes, where node 1 of t.0.et sends 8"));
}

TEST_CASE("dependencies that can never be fulfilled are refused by the names of the nodes",
          "[traffic]") {
  CHECK_THAT(fault_of({{send(1, 0, 8, {9}), receive(2, 0, 8)}}),
             Catch::Contains("FOLDER/t.0.et: dependencies: at byte 8: no node has the id 9"));
  CHECK_THAT(fault_of({{computation(3, 1, {3}), send(1, 0, 8), receive(2, 0, 8)}}),
             Catch::Contains("node 3 waits for 3"));
  // Each rank receives before it sends.
  ChakraProgram cycle{{receive(1, 1, 8), send(2, 1, 8, {1})},
                      {receive(1, 0, 8), send(2, 0, 8, {1})}};
  const std::string text = fault_of(cycle);
  CHECK_THAT(text, Catch::Contains("node 1 of t.0.et waits for node 2 of t.1.et, which waits for "
                                   "node 1 of t.1.et, which waits for node 2 of t.0.et, which "
                                   "waits for node 1 of t.0.et") ||
                       Catch::Contains("node 2 of t.0.et waits for node 1 of t.0.et, which waits"));
  // The packets of a message appear as one node.
  CHECK_THAT(fault_of(cycle, ", mtu: 3"), !Catch::Contains("node 2 of t.0.et, which waits for "
                                                           "node 2 of t.0.et"));
}

TEST_CASE("every cut of a file is noticed, with the byte of the message that is cut", "[traffic]") {
  const std::string whole = chakra_bytes({send(1, 0, 8), receive(2, 0, 8)});
  const std::size_t first = chakra_metadata("0.0.4").size();
  const std::size_t second = first + chakra_node(send(1, 0, 8)).size();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO("cut to " << size << " bytes");
    const std::string text = fault_of_bytes(whole.substr(0, size));
    if (size == first) {
      CHECK_THAT(text, Catch::Contains("no packets"));
    } else if (size == second) {
      CHECK_THAT(text, Catch::Contains("this send has no matching receive"));
    } else {
      const std::size_t begin = size < first ? 0 : size < second ? first : second;
      CHECK_THAT(text, Catch::Contains("at byte " + std::to_string(begin) +
                                       ": the file ends within a message"));
    }
  }
  CHECK(fault_of_bytes(whole).empty());
}

TEST_CASE("with any changed byte, a file is read or refused", "[traffic]") {
  const std::string whole = chakra_bytes({computation(0, 3), send(1, 0, 8, {0}), receive(2, 0, 8)});
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {1, 128, 255}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      refused += fault_of_bytes(damaged).empty() ? 0 : 1;
    }
  }
  CHECK(refused > static_cast<int>(whole.size()));
}
