// SPDX-License-Identifier: Apache-2.0
// Messages for collective operations that do not exist or are impossible.
#include <string>
#include <vector>

#include "experiment.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

struct BadCollective {
  std::string claim;
  std::string topology;
  std::string routing;
  std::string workload;  ///< Text after the kind.
  std::string ports;
  std::string says;  ///< Beginning of the message: place, key, reason and hint.
};

const std::string kCube = "{kind: hypercube, dimension: 3}";
const std::string kECube = "{kind: e_cube}";
const std::string kStar = "{kind: crossbar, nodes: 4}";
const std::string kShortest = "{kind: shortest_path}";
const std::string kXY = "{kind: dimension_order}";

// The workload is in line 3, the ports are in line 5.
const std::vector<BadCollective> kBadCollectives{
    {"a source outside", kCube, kECube, "algorithm: ho_kao, source: 8", "all",
     "x.yaml:3:57: workload.source: there is no node 8 in hypercube 3; use a source from 0 to 7\n"},
    {"one port for an algorithm that needs all", kCube, kECube, "algorithm: ho_kao", "one",
     "x.yaml:5:15: node.ports: the algorithm sends through all channels of a node at once; write "
     "node.ports: all, or "},
    {"ports between one and all", kCube, kECube, "algorithm: binomial_tree", "2",
     "x.yaml:5:15: node.ports: the spanning binomial tree is a schedule for 1 port or for all "
     "ports, not for 2; use one or all\n"},
    {"ports by a word that there is not", kCube, kECube, "algorithm: binomial_tree", "two",
     "x.yaml:5:15: node.ports: \"two\" is not an integer; write one, all, or an integer from 1 to"},
    {"a torus that crosses do not tile", "{kind: torus, sizes: [6, 6]}", "{kind: o1turn}",
     "algorithm: recursive_tiling", "all",
     "x.yaml:3:41: workload.algorithm: recursive tiling is defined on the tori 5^k x 5^k only, not "
     "on torus 6x6; use torus 5x5 or torus 25x25\n"},
    {"a torus on which zigzag trails do not close", "{kind: torus, sizes: [4, 6, 3]}", kXY,
     "operation: gossip, algorithm: zigzag_trails", "all",
     "x.yaml:3:60: workload.algorithm: in 3 dimensions the zigzag trails close, and come by every "
     "node, only where "},
    {"an algorithm for another family", kCube, kECube, "algorithm: dimension_order", "all",
     "x.yaml:3:41: workload.algorithm: the algorithm works on meshes, tori and rings, not on "
     "hypercube 3; choose another topology, or another algorithm (list collectives)\n"},
    {"an algorithm for another operation", kCube, kECube, "operation: gossip, algorithm: ho_kao",
     "all",
     "x.yaml:3:60: workload.algorithm: \"ho_kao\" is not a choice while operation is gossip or "
     "all_gather; write one of recursive_doubling, "
     "cube_classes, hamiltonian_cycles"},
    {"an algorithm of no operation", kCube, kECube, "operation: gossip, algorithm: zzzz", "all",
     "x.yaml:3:60: workload.algorithm: \"zzzz\" is not a choice; write one of recursive_doubling, "
     "cube_classes, hamiltonian_cycles"},
    {"no algorithm", kCube, kECube, "operation: scatter", "all",
     "x.yaml:3:1: workload.algorithm: is missing; write one of cube_classes, multicast_rounds, "
     "unicast_rounds, binomial\n"},
    {"a source where all are", kCube, kECube,
     "operation: gossip, algorithm: cube_classes, source: 1", "all",
     "x.yaml:3:74: workload.source: does not apply while workload.operation is gossip;"},
    {"the bits in another order", kCube, "{kind: e_cube, order: lsb}", "algorithm: ho_kao", "all",
     "x.yaml:2:17: routing.kind: e_cube does not take the path that ho_kao counts on from node 0 "
     "to node 7; use {kind: e_cube, order: msb}\n"},
    {"the dimensions in another order", "{kind: mesh, sizes: [5, 5]}",
     "{kind: dimension_order, order: descending}", "algorithm: chain_halving", "one",
     "x.yaml:2:17: routing.kind: dimension_order does not take the path that chain_halving counts "
     "on from node 0 to node 17; use "},
    {"one order of dimensions for an algorithm that needs both", "{kind: torus, sizes: [5, 5]}",
     kXY, "algorithm: recursive_tiling", "all",
     "x.yaml:2:17: routing.kind: dimension_order does not take the path that recursive_tiling "},
    {"a routing whose packets choose their path", "{kind: mesh, sizes: [5, 5]}", "{kind: odd_even}",
     "algorithm: dimension_order", "all",
     "x.yaml:2:17: routing.kind: odd_even does not take the path that dimension_order counts on "
     "from node 0 to node "},
    {"a routing whose sources draw the path", "{kind: mesh, sizes: [5, 5]}", "{kind: valiant}",
     "algorithm: dimension_order", "all",
     "x.yaml:2:17: routing.kind: valiant does not take the path that dimension_order counts on "
     "from node 0 to node "},
    {"multicasts on a network without", kCube, kECube, "algorithm: multicast_rounds", "one",
     "x.yaml:2:17: routing.kind: e_cube does not carry the multicasts of multicast_rounds; use "
     "central_control on a clos topology, or algorithm: unicast_rounds\n"},
    {"exchanges that do not pair all nodes", "{kind: mesh, sizes: [4, 3]}", kXY,
     "operation: gossip, algorithm: pairwise_exchange", "one",
     "x.yaml:3:60: workload.algorithm: pairwise exchange is defined on 2^k nodes only, not on 12; "
     "use 8 or 16 nodes, or algorithm: shift_exchange\n"},
    {"nodes that there are none of, and one twice", kCube, kECube,
     "operation: gossip, algorithm: ring, nodes: [1, 8, 1]", "one",
     "x.yaml:3:73: workload.nodes: there is no node 8; use nodes from 0 to 7\n"
     "x.yaml:3:73: workload.nodes: node 1 is named twice; name every node once\n"},
    {"a root that takes no part", kCube, kECube,
     "operation: reduce, algorithm: binomial, source: 3, nodes: [0, 1]", "one",
     "x.yaml:3:78: workload.source: node 3 is not among workload.nodes; use one of them, or name "
     "it "
     "there\n"},
    {"a Gray code that there is none of", kCube, kECube,
     "operation: gossip, algorithm: ring, nodes: [0, 1, 2], mapping: gray", "one",
     "x.yaml:3:93: workload.mapping: there is no Gray code of 3 nodes; use 2 or 4 nodes, or "
     "snake\n"},
    {"a walk through what is no grid", kCube, kECube,
     "operation: gossip, algorithm: ring, mapping: snake", "one",
     "x.yaml:3:75: workload.mapping: snake is a walk through meshes, tori and rings, not through "
     "hypercube 3; use identity, gray, {random: SEED} or a list\n"},
    {"an order of other nodes", kCube, kECube,
     "operation: gossip, algorithm: ring, nodes: [0, 1], mapping: [0, 2]", "one",
     "x.yaml:3:90: workload.mapping: node 2 is not among workload.nodes; leave it out\n"
     "x.yaml:3:90: workload.mapping: node 1 has no rank; name every node that takes part\n"},
    {"ranks of an algorithm that has none", kCube, kECube,
     "algorithm: recursive_doubling, mapping: gray", "all",
     "x.yaml:3:70: workload.mapping: recursive_doubling places a broadcast itself; leave it out, "
     "or use an algorithm for any network\n"},
    {"segments by number and by length", kCube, kECube,
     "algorithm: pipelined_chain, segments: 3, segment: 5", "one",
     "x.yaml:3:80: workload.segment: the number of segments is given; leave one of the two out\n"},
    {"a root outside", kCube, kECube, "operation: gather, algorithm: unicast_rounds, source: 8",
     "one",
     "x.yaml:3:84: workload.source: there is no node 8 in hypercube 3; use a source from 0 to 7\n"},
    {"more receivers than nodes", kCube, kECube,
     "operation: multicast, algorithm: unicast_rounds, receivers: 8", "one",
     "x.yaml:3:90: workload.receivers: 8 nodes beside the source are more than the 7 that there "
     "are; use 0 for all of them\n"},
    {"a destination outside", kCube, kECube,
     "operation: multicast, algorithm: unicast_rounds, destinations: [3, 8]", "one",
     "x.yaml:3:93: workload.destinations: hypercube 3 has no node 8; use nodes from 0 to 7\n"},
    {"as many destinations and which", kCube, kECube,
     "operation: multicast, algorithm: unicast_rounds, destinations: [3], receivers: 2", "one",
     "x.yaml:3:109: workload.receivers: the destinations are listed; leave it out\n"},
    {"receivers of a broadcast", kCube, kECube, "algorithm: unicast_rounds, receivers: 3", "one",
     "x.yaml:3:57: workload.receivers: does not apply while workload.operation is broadcast;"},
    {"vectors without rounds", kCube, kECube,
     "operation: all_reduce, algorithm: recursive_doubling, timing: self_timed, data: {operator: "
     "add, type: int32}",
     "one",
     "x.yaml:3:92: workload.timing: vectors are combined in rounds; use rounds, or leave data "
     "out\n"},
    {"bits of floats", kCube, kECube,
     "operation: reduce, algorithm: binomial, data: {operator: xor, type: float32}", "one",
     "x.yaml:3:98: workload.data.type: \"float32\" is not a choice; write one of int32, int64\n"},
    {"data of a broadcast", kCube, kECube, "algorithm: binomial, data: {operator: add}", "one",
     "x.yaml:3:58: workload.data.operator: does not apply while workload.operation is broadcast;"},
    {"data that routers combine", kCube, kECube,
     "operation: reduce, algorithm: reduction_tree, forwarding: routers, data: {operator: add, "
     "combine_cycles: 1}",
     "all",
     "x.yaml:3:135: workload.data.combine_cycles: routers combine flits while they pass; leave it "
     "out; router.combine is the time of a router\n"},
    {"data of several reductions at once", kStar, kShortest,
     "operation: all_reduce, algorithm: switch_tree, at_once: 2, data: {operator: add}", "one",
     "x.yaml:3:86: workload.at_once: only one reduction at a time has data; use 1, or leave data "
     "out\n"},
    {"a tree over links that lead one way",
     "{kind: clos, ports: 2, middle_switches: 2, switches: 2}", "{kind: central_control}",
     "operation: reduce, algorithm: switch_tree", "one",
     "x.yaml:3:60: workload.algorithm: no links that lead both ways join the routers 0 and 1 of "
     "clos v(2,2,2); use a network whose links lead both ways, or an algorithm whose messages "
     "nodes send\n"},
    {"a root that is no router", kStar, kShortest,
     "operation: barrier, algorithm: switch_tree, root: 1", "one",
     "x.yaml:3:80: workload.root: crossbar 4 has no router 1; use routers from 0 to 0\n"},
    {"a source of a tree that there is none of", kStar, kShortest,
     "operation: broadcast, algorithm: switch_tree, source: 4", "one",
     "x.yaml:3:84: workload.source: there is no node 4 in crossbar 4; use a source from 0 to 3\n"},
    {"more at once than virtual channels can be", kStar, kShortest,
     "operation: reduce, algorithm: switch_tree, at_once: 33", "one",
     "x.yaml:3:82: workload.at_once: 33 is too large; write an integer from 1 to 32\n"},
    {"broadcasts at once", kStar, kShortest,
     "operation: broadcast, algorithm: switch_tree, at_once: 2", "one",
     "x.yaml:3:76: workload.at_once: does not apply while workload.operation is broadcast"},
    {"more data than there is space for", kCube, kECube,
     "operation: reduce, algorithm: binomial, length: 65535, data: {operator: add, elements: 256}",
     "one",
     "x.yaml:3:117: workload.data.elements: 65535 flits of 256 elements at 8 nodes are more than "
     "67108864 elements; use a smaller length, fewer elements or a smaller network\n"},
    {"chunks of nothing", kCube, kECube, "algorithm: ho_kao, length: 0", "all",
     "x.yaml:3:57: workload.length: 0 is too small; write an integer from 1 to"},
};

Experiment experiment(const BadCollective& one) {
  return {one.topology, one.routing, "{kind: collective, " + one.workload + "}", "{watchdog: 1000}",
          "node: {ports: " + one.ports + "}"};
}

}  // namespace

TEST_CASE("collectives that cannot be are refused with place, reason and hint", "[program]") {
  for (const BadCollective& one : kBadCollectives) {
    const Folder folder;
    folder.write("x.yaml", experiment(one).text());
    const std::string error = refusal(folder, {"run", "x.yaml"});
    INFO(one.claim << "\nsays:  " << error << "but not:  " << one.says);
    CHECK(error.find(one.says) == 0);
    CHECK(refusal(folder, {"check", "x.yaml"}) == error);
    CHECK(refusal(folder, {"schedule", "x.yaml"}) == error);
  }
}

TEST_CASE("the ranks of a multicast are its source and its destinations, and are not placed",
          "[program]") {
  const Folder folder;
  for (const char* placed : {"mapping: snake", "nodes: [0, 1, 2]"}) {
    folder.write("x.yaml", Experiment{"{kind: ring, nodes: 9}", "{kind: dimension_order}",
                                      "{kind: collective, operation: multicast, algorithm: "
                                      "unicast_rounds, receivers: 3, " +
                                          std::string(placed) + "}"}
                               .text());
    const std::string said = refusal(folder, {"check", "x.yaml"});
    CHECK(says(said, ": does not apply while "));
    CHECK(says(said, "workload.operation is multicast; remove it"));
  }
}

TEST_CASE("a chunk longer than a buffer is refused under virtual cut-through", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{kCube, kECube, "{kind: collective, algorithm: ho_kao}",
                                    "{watchdog: 1000}",
                                    "router: {kind: virtual_cut_through}\nnode: {ports: all}"}
                             .text());
  CHECK(refusal(folder, {"run", "x.yaml"})
            .find("router.buffer_depth: 8 flits cannot hold the longest packet, of 64 flits") !=
        std::string::npos);
}

TEST_CASE("routers without buffers are not asked to copy packets", "[program]") {
  const Folder folder;
  folder.write(
      "x.yaml",
      Experiment{kCube, kECube, "{kind: collective, algorithm: binomial_tree, forwarding: routers}",
                 "{watchdog: 1000}", "router: {kind: circuit}\nnode: {ports: all}"}
          .text());
  for (const char* command : {"check", "run"}) {
    CHECK(refusal(folder, {command, "x.yaml"})
              .find("workload.forwarding: routers without buffers have nothing to copy") !=
          std::string::npos);
  }
}

TEST_CASE("results are not written over the experiment, by whatever name", "[program]") {
  const Folder folder;
  const std::string text = Experiment{}.text();
  folder.write("out/x.json", text);  // JSON is valid YAML.
  std::filesystem::create_symlink("out/x.json", folder.path() / "link");
  for (const Arguments& arguments :
       {Arguments{"run", "link", "--json", "out/x.json"},
        Arguments{"run", "out/x.json", "--json", "-", "--packet-log", "link"}}) {
    const std::string error = refusal(folder, arguments);
    INFO(error);
    CHECK(error.find(" is read by this experiment and would be lost; name another file") !=
          std::string::npos);
  }
  CHECK(folder.read("out/x.json") == text);
}

TEST_CASE("two outputs of a run cannot be one file", "[program]") {
  const Folder folder;
  folder.write("x.yaml", experiment(kBadCollectives.front()).text());
  const std::string error =
      refusal(folder, {"run", "x.yaml", "--json", "y.json", "--packet-log", "y.json"});
  CHECK(error.find("--packet-log: \"y.json\" is written to already;") == 0);
}
