// SPDX-License-Identifier: Apache-2.0
// Messages for errors in experiment files.
#include <string>
#include <vector>

#include "experiment.h"
#include "refusal.h"

using namespace flitcast::program;

namespace {

const Experiment kFlows{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                        "{kind: collective, operation: barrier, algorithm: binomial}",
                        "{watchdog: 2000}", "run: {level: flow}"};

struct BadInput {
  std::string claim;
  std::string text;               ///< Text of the file x.yaml.
  std::vector<std::string> says;  ///< Whole lines of standard error, or their beginnings.
  Arguments more{};               ///< Arguments after `run x.yaml`.
};

// Sections are on lines 1 to 4; the lines that `with` adds start at 5; see experiment.h.
const std::vector<BadInput> kText{
    {"an empty file", "", {"x.yaml: is empty; start with a section"}},
    {"a file of comments", "# nothing\n", {"x.yaml: is empty;"}},
    {"a list", "- topology\n", {"x.yaml:1:1: is not a map of sections; write `section: {key:"}},
    {"a bracket left open", with("router: {buffer_depth: [8}").text(), {"x.yaml:5:"}},
    {"a tab for indentation", with("router:\n\tbuffer_depth: 8").text(), {"x.yaml:6:"}},
    {"a second document", with("---\nseed: 2").text(), {"x.yaml:5:1: a second document;"}},
    {"bytes that are no text", "name: \xff\n", {"x.yaml: is not UTF-8;"}},
    {"a key twice",
     with("router:\n  buffer_depth: 4\n  buffer_depth: 8").text(),
     {"x.yaml:7:3: router.buffer_depth: comes twice, first in line 6;"}},
    {"a section twice", with("seed: 1\nseed: 2").text(), {"x.yaml:6:1: seed: comes twice"}},
};

const std::vector<BadInput> kKeys{
    {"a key of another section whose name is like another one here",
     with("").text(),
     {"--set workload.window=5: workload.window: unknown key; did you mean measure.window?"},
     {"--set", "workload.window=5"}},
    {"a misspelt key",
     with("router: {buffer_dept: 8}").text(),
     {"x.yaml:5:10: router.buffer_dept: unknown key; did you mean router.buffer_depth?"}},
    {"a misspelt section",
     with("ruoter: {buffer_depth: 8}").text(),
     {"x.yaml:5:1: ruoter: unknown key; did you mean router?"}},
    {"the name that a key had in earlier versions",
     with("run: {realisation: fast}").text(),
     {"x.yaml:5:7: run.realisation: unknown key; remove it; known are threads, implementation"}},
    {"the name that a choice had in earlier versions",
     with("run: {implementation: native}").text(),
     {"x.yaml:5:23: run.implementation: \"native\" is not a choice; write one of fast, pins"}},
    {"the name that a key had in earlier versions, in a sweep",
     with("sweep: {run.realisation: [fast, pins]}").text(),
     {"x.yaml:5:9: sweep.run.realisation: unknown key;"}},
    {"a key of another section",
     with("link: {virtual_channels: 2}").text(),
     {"x.yaml:5:8: link.virtual_channels: unknown key; did you mean router.virtual_channels?"}},
    {"a misspelt sweep",
     with("sweeps: {seed: [1, 2]}").text(),
     {"x.yaml:5:1: sweeps: unknown key; did you mean sweep?"}},
    {"a key that nothing resembles",
     with("zzz: 1").text(),
     {"x.yaml:5:1: zzz: unknown key; remove it; known are name, seed, repeat, clock, flit_width, "
      "topology"}},
    {"a section without keys", with("router:").text(), {"x.yaml:5:1: router: has no keys;"}},
    {"a section that is a list", with("router: [1]").text(), {"x.yaml:5:1: router: is not a map"}},
    {"a topology without kind",
     with_topology("{sizes: [4, 4]}").text(),
     {"x.yaml:1:1: topology.kind: is missing; write one of mesh, torus, ring, hypercube,"}},
    {"a routing without kind",
     with_routing("{order: descending}").text(),
     {"x.yaml:2:1: routing.kind: is missing; write one of dimension_order"}},
    {"no workload at all",
     "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n",
     {"x.yaml: workload.kind: is missing; write one of traffic, trace"}},
    {"a misspelt choice",
     with_topology("{kind: tours, sizes: [4, 4]}").text(),
     {"x.yaml:1:18: topology.kind: \"tours\" is not a choice; did you mean torus? Choices: mesh"}},
    {"a choice that there is not",
     with("router: {kind: deflection}").text(),
     {"x.yaml:5:16: router.kind: \"deflection\" is not a choice; write one of wormhole"}},
    {"a key of another router",
     with("router: {priority: fifo}").text(),
     {"x.yaml:5:10: router.priority: does not apply while router.kind is wormhole;"}},
    {"a key of another kind",
     with_topology("{kind: hypercube, dimension: 3, sizes: [4]}").text(),
     {"x.yaml:1:43: topology.sizes: does not apply while topology.kind is hypercube; remove it,"}},
    {"a key of another pattern",
     with_workload("{kind: traffic, pattern: tornado, hot_fraction: 0.5}").text(),
     {"x.yaml:3:45: workload.hot_fraction: does not apply while workload.kind is traffic and "
      "workload.pattern is tornado"}},
    {"an override of a misspelt key",
     Experiment{}.text(),
     {"--set workload.laod=0.2: workload.laod: unknown key; did you mean workload.load?"},
     {"--set", "workload.laod=0.2"}},
    {"an override without a value",
     Experiment{}.text(),
     {"--set workload.load: is not an assignment; write --set section.key=value"},
     {"--set", "workload.load"}},
    {"an override without a key",
     Experiment{}.text(),
     {"--set =3: is not an assignment;"},
     {"--set", "=3"}},
    {"an override with broken YAML",
     Experiment{}.text(),
     {"--set topology.sizes=[4: "},
     {"--set", "topology.sizes=[4"}},
};

const std::vector<BadInput> kValues{
    {"a list for a text",
     with("name: [a]").text(),
     {"x.yaml:5:7: name: a list does not fit here; write text"}},
    {"a name with a control character",
     with("name: \"a\\nb\"").text(),
     {"x.yaml:5:7: name: \"a\\nb\" has a control character; leave it out"}},
    {"a file name with a null character",
     with_workload("{kind: trace, format: csv, file: \"t.csv\\0x\"}").text(),
     {"x.yaml:3:44: workload.file: \"t.csv\\u0000x\" has a control character; leave it out"}},
    {"a name of dots",
     with("name: ..").text(),
     {"x.yaml:5:7: name: \"..\" is no name for a file; write a word, not only dots"}},
    {"a name with a slash",
     with("name: a/b").text(),
     {"x.yaml:5:7: name: \"a/b\" is no name for a file; leave out the slash"}},
    {"a name that is too long",
     with("name: " + std::string(201, 'n')).text(),
     {"x.yaml:5:7: name: "}},
    {"a word for an integer",
     with("router: {buffer_depth: eight}").text(),
     {"x.yaml:5:24: router.buffer_depth: \"eight\" is not an integer; write an integer from 1 to"}},
    {"a fraction for an integer",
     with("seed: 1.5").text(),
     {"x.yaml:5:7: seed: 1.5 is not an integer in plain decimal digits;"}},
    {"a word for a number",
     with_workload("{kind: traffic, load: much}").text(),
     {"x.yaml:3:33: workload.load: \"much\" is not a number; write a number, at least 0"}},
    {"a word for a truth value",
     with_workload("{kind: traffic, include_self: yes}").text(),
     {"x.yaml:3:41: workload.include_self: \"yes\" is not true or false;"}},
    {"a map for a choice",
     with("router: {kind: {a: b}}").text(),
     {"x.yaml:5:16: router.kind: a map does not fit here; write one of wormhole,"}},
    {"a word in a list of integers",
     with_workload("{kind: traffic, packet_length: [5, x]}").text(),
     {"x.yaml:3:46: workload.packet_length: \"x\" is not an integer;"}},
    {"a word in a list of numbers",
     with_workload("{kind: traffic, packet_length: [1, 5], packet_weights: [1, .nan]}").text(),
     {"x.yaml:3:70: workload.packet_weights: \".nan\" is not a number;"}},
    {"weights whose sum is beyond any number",
     with_workload("{kind: traffic, packet_length: [1, 5], packet_weights: [1e308, 1e308]}").text(),
     {"x.yaml:3:67: workload.packet_weights: 1e308 is too large; write a number from 0 to "
      "1000000000"}},
    {"too small an integer",
     with("router: {buffer_depth: 0}").text(),
     {"x.yaml:5:24: router.buffer_depth: 0 is too small; write an integer from 1 to 65535"}},
    {"too large an integer",
     with("router: {buffer_depth: 65536}").text(),
     {"x.yaml:5:24: router.buffer_depth: 65536 is too large; write an integer from 1 to 65535"}},
    {"an integer beyond 64 bits",
     with("seed: 99999999999999999999").text(),
     {"x.yaml:5:7: seed: 99999999999999999999 does not fit into 64 bits;"}},
    {"too small a number",
     with_workload("{kind: traffic, load: -0.1}").text(),
     {"x.yaml:3:33: workload.load: -0.1 is too small;"}},
    {"too large a number",
     with_workload("{kind: traffic, pattern: hot_spot, hot_fraction: 1.5}").text(),
     {"x.yaml:3:60: workload.hot_fraction: 1.5 is too large; write a number from 0 to 1"}},
    {"too small a value in a nested map",
     with("router: {pipeline: {switch_allocation: 0}}").text(),
     {"x.yaml:5:40: router.pipeline.switch_allocation: 0 is too small;"}},
    {"a size of zero",
     with_topology("{kind: mesh, sizes: [4, 0]}").text(),
     {"x.yaml:1:35: topology.sizes: 0 is too small;"}},
    {"an override that is out of range",
     Experiment{}.text(),
     {"--set router.virtual_channels=33: router.virtual_channels: 33 is too large;"},
     {"--set", "router.virtual_channels=33"}},
};

const std::vector<BadInput> kMeaning{
    {"speculation beside a VC allocation of no cycle, and inputs of the switch without a VC",
     with("router: {pipeline: {vc_allocation: 0}, speculation: true, virtual_channels: 2, "
          "input_speedup: 3}")
         .text(),
     {"x.yaml:5:53: router.speculation: allocation of virtual channels takes 0 cycles,",
      "x.yaml:5:95: router.input_speedup: 3 inputs of the switch per port and 2 virtual "
      "channels,"}},
    {"iterations of a wavefront",
     with("router: {allocator: wavefront, iterations: 2}").text(),
     {"x.yaml:5:32: router.iterations: does not apply while router.allocator is wavefront;"}},
    {"an option of routers with one way beside an adaptive routing",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: minimal_adaptive}"}.text() +
         "router: {allocator: output_first}\n",
     {"x.yaml:6:21: router.allocator: routers with this option cannot choose among the outputs "
      "that minimal_adaptive offers; leave router.allocator out,"}},
    {"an option that modules with pins have not",
     with("router: {vc_reuse: tail_credit}\nrun: {implementation: pins}").text(),
     {"x.yaml:6:23: run.implementation: routers with options such as vc_reuse have no modules with "
      "pins; use run.implementation: fast"}},
    {"an order of packets in allocators that have none",
     with("router: {allocator: wavefront, arbitration: age}").text(),
     {"x.yaml:5:45: router.arbitration: a wavefront allocator has no order of its own for packets, "
      "as age asks for; use round_robin, or"}},
    {"an order of packets beside speculation",
     with("router: {speculation: true, arbitration: hops}").text(),
     {"x.yaml:5:42: router.arbitration: a speculative switch allocator has no order"}},
    {"an order of classes without classes",
     with("router: {arbitration: priority}").text(),
     {"x.yaml:5:23: router.arbitration: priority orders the packets of classes, and this workload "
      "has none; give it workload.classes, or use age or round_robin"}},
    {"a pattern that does not exist here beside an order of its classes",
     with("router: {arbitration: priority}").text(),
     {"--set workload.pattern=shuffle: workload.pattern: shuffle permutes the bits of the node "
      "number"},
     {"--set", "topology.sizes=[3, 3]", "--set", "workload.pattern=shuffle"}},
    {"an order of packets beside an adaptive routing",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: minimal_adaptive}"}.text() +
         "router: {arbitration: age}\n",
     {"x.yaml:6:23: router.arbitration: routers with this option cannot choose among the outputs"}},
    {"an order of packets in modules with pins",
     with("router: {arbitration: age}\nrun: {implementation: pins}").text(),
     {"x.yaml:6:23: run.implementation: routers with options such as arbitration have no modules"}},
    {"terms of a class that its routers do not read",
     with_workload("{kind: traffic, classes: [{name: a, weight: 2}, {name: b, rate: 0.1, burst: "
                   "3}]}")
         .text(),
     {"x.yaml:3:55: workload.classes[0].weight: does not apply while router.arbitration is "
      "round_robin; set router.arbitration to weighted or guaranteed, or remove it",
      "x.yaml:3:75: workload.classes[1].rate: does not apply while router.arbitration is "
      "round_robin; set router.arbitration to guaranteed, or remove it",
      "x.yaml:3:87: workload.classes[1].burst: does not apply"}},
    {"a rate beside weights",
     with_workload("{kind: traffic, classes: [{name: a, weight: 2, rate: 0.1}]}").text() +
         "router: {arbitration: weighted}\n",
     {"x.yaml:3:64: workload.classes[0].rate: does not apply while router.arbitration is "
      "weighted;"}},
    {"guarantees of more than a channel has",
     with_workload("{kind: traffic, classes: [{name: a, rate: 0.3}, {name: b, rate: 0.3}]}")
             .text() +
         "router: {arbitration: guaranteed}\nlink: {cycles_per_flit: 2}\n",
     {"x.yaml:3:36: workload.classes: rates of 0.6 flits per cycle together, and a channel has "
      "0.5; guarantee "
      "less"}},
    {"no weight, and a rate of more than a flit in each cycle",
     with_workload("{kind: traffic, classes: [{name: a, weight: 0, rate: 1.5, burst: 0}]}").text() +
         "router: {arbitration: guaranteed}\n",
     {"x.yaml:3:55: workload.classes[0].weight: 0 is too small;",
      "x.yaml:3:64: workload.classes[0].rate: 1.5 is too large;",
      "x.yaml:3:76: workload.classes[0].burst: 0 is too small;"}},
    {"no sizes",
     with_topology("{kind: mesh, sizes: []}").text(),
     {"x.yaml:1:31: topology.sizes: 0 dimensions; write 1 to 16 sizes"}},
    {"too large a network",
     with_topology("{kind: mesh, sizes: [65536, 65536]}").text(),
     {"x.yaml:1:31: topology.sizes: more than 2^24 routers; make their product at most 16777216"}},
    {"too many dimensions",
     with_topology("{kind: torus, sizes: [2, 2, 2, 2, 2, 2, 2, 2, 2]}").text(),
     {"x.yaml:1:32: topology.sizes: 9 dimensions; write 1 to 8 sizes"}},
    {"too many ports",
     with_topology("{kind: complete, nodes: 129}").text(),
     {"x.yaml:1:35: topology.nodes: 129 is too large;"}},
    {"a routing that does not fit the topology",
     with_topology("{kind: hypercube, dimension: 3}").text(),
     {"x.yaml:2:17: routing.kind: dimension_order does not work on hypercube 3; it works on mesh, "
      "torus, ring, cmesh and hierarchy mesh 2x2 in mesh 2x2: 4x4; for hypercube 3 choose e_cube "
      "or "}},
    {"a routing that fits one shape of a topology",
     Experiment{"{kind: torus, sizes: [8, 8]}", "{kind: west_first}"}.text(),
     {"x.yaml:2:17: routing.kind: west_first does not work on torus 8x8; it works on mesh 3x5, "
      "cmesh 3x2 with 1x2 nodes each and hierarchy mesh 2x2 in mesh 2x2: 4x4; for torus 8x8 "
      "choose "}},
    {"faults that name no link, and no router",
     with_topology("{kind: mesh, sizes: [4, 4], faults: [link 1 6, router 16]}").text(),
     {"x.yaml:1:47: topology.faults: \"link 1 6\" names no link of mesh 4x4; links lead from "
      "router 1 "
      "to 0, 2 and 5",
      "x.yaml:1:47: topology.faults: \"router 16\" names no router of mesh 4x4; routers are 0 to "
      "15"}},
    {"faults that cut off a node",
     with_topology("{kind: mesh, sizes: [4, 4], faults: [link 0 1, link 0 4]}").text(),
     {"x.yaml:1:47: topology.faults: no way is left from node 0 to node 1, node 0 to node 2, "}},
    {"a root that has failed",
     Experiment{"{kind: mesh, sizes: [4, 4], faults: router 0}", "{kind: up_down}"}.text(),
     {"x.yaml:2:1: routing.root: router 0 has no links; name a router that has links"}},
    {"a routing that does not go round faults",
     with_topology("{kind: mesh, sizes: [4, 4], faults: link 0 1}").text(),
     {"x.yaml:2:17: routing.kind: dimension_order does not know of faults: over what has failed it "
      "sends packets from node 0 to node 1, "}},
    {"a torus without a second virtual channel",
     Experiment{"{kind: torus, sizes: [8, 8]}"}.text(),
     {"--set router.virtual_channels=1: router.virtual_channels: cyclic channel dependency "
      "(possible deadlock): "
      "torus 8x8 needs more than one virtual channel per order of dimensions"},
     {"--set", "router.virtual_channels=1"}},
    {"a ring without classes of virtual channels",
     Experiment{"{kind: ring, nodes: 4}", "{kind: dimension_order, vc_classes: none, tie: plus}"}
         .text(),
     {"x.yaml:2:17: routing.kind: cyclic channel dependency (possible deadlock): router 0 "
      "port 0 VC 0 -> router 1 port 0 VC 0 -> router 2 port 0 VC 0 -> router 3 port 0 VC 0 -> "
      "router 0 port 0 VC 0; use virtual-channel classes or another routing, or run anyway with "
      "--unsafe"}},
    {"routers that cannot choose",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: odd_even}"}.text() +
         "router: {kind: store_and_forward}\n",
     {"x.yaml:6:16: router.kind: store_and_forward routers cannot choose among the outputs that "
      "odd_even "
      "offers; "
      "use wormhole or virtual_cut_through, or a routing that offers one"}},
    {"an escape channel and no other",
     Experiment{"{kind: torus, sizes: [4, 4]}", "{kind: minimal_adaptive}"}.text() +
         "router: {virtual_channels: 2}\n",
     {"x.yaml:6:28: router.virtual_channels: minimal_adaptive has escape channels of its own, and "
      "torus 4x4 has 2 at each port; use 3 or more, or another routing"}},
    {"a root that is no router",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: up_down, root: 16}"}.text(),
     {"x.yaml:2:32: routing.root: mesh 4x4 has no router 16; name one from 0 to 15"}},
    {"shortest paths that can deadlock",
     Experiment{"{kind: torus, sizes: [5]}", "{kind: shortest_path}"}.text(),
     {"x.yaml:2:17: routing.kind: cyclic channel dependency (possible deadlock): router 0 "
      "port 0 VC 0 -> router 1 port 0 VC 0 -> router 2 port 0 VC 0 -> router 3 port 0 VC 0 -> "
      "router 4 port 0 VC 0 -> router 0 port 0 VC 0; write vc_classes: by_distance, choose "
      "dimension_order or "
      "o1turn or up_down or table or valiant or minimal_adaptive or ugal, or another topology, or "
      "run anyway "
      "with --unsafe"}},
    {"bits of a node number where there are none",
     Experiment{"{kind: mesh, sizes: [3, 5]}", "{kind: dimension_order}",
                "{kind: traffic, pattern: bit_reverse}"}
         .text(),
     {"x.yaml:3:36: workload.pattern: bit_reverse permutes the bits of the node number, but "
      "mesh 3x5 has 15 nodes; use 8 or 16 nodes"}},
    {"a transpose of an odd number of bits",
     Experiment{"{kind: mesh, sizes: [2, 4]}", "{kind: dimension_order}",
                "{kind: traffic, pattern: transpose}"}
         .text(),
     {"x.yaml:3:36: workload.pattern: transpose permutes the halves of the bits"}},
    {"more load than packets can carry",
     with_workload("{kind: traffic, load: 5.5}").text(),
     {"x.yaml:3:33: workload.load: 5.5 flits per cycle is more than one packet of 5 flits in every "
      "cycle; use at most 5"}},
    {"packets without a length",
     with_workload("{kind: traffic, packet_length: []}").text(),
     {"x.yaml:3:42: workload.packet_length: the list is empty; name at least one length"}},
    {"more load than packets of several lengths can carry, in round figures",
     with_workload("{kind: traffic, load: 4, packet_length: [5, 5, 1]}").text(),
     {"x.yaml:3:33: workload.load: 4 flits per cycle is more than one packet of 3.66667 flits in "
      "every cycle; use at most 3.666"}},
    {"more load than bursts can carry",
     with_workload("{kind: traffic, injection: on_off, peak_load: 0.5, load: 0.9}").text(),
     {"x.yaml:3:68: workload.load: 0.9 flits per cycle leaves no cycle between bursts"}},
    {"a packet longer than a buffer under virtual cut-through",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, packet_length: [1, 9]}", "{window: 50}",
                "router: {kind: virtual_cut_through, buffer_depth: 8}"}
         .text(),
     {"x.yaml:5:51: router.buffer_depth: 8 flits cannot hold the longest packet, of 9 flits"}},
    {"a hot spot outside",
     with_workload("{kind: traffic, pattern: hot_spot, hot_spots: [3, 16]}").text(),
     {"x.yaml:3:57: workload.hot_spots: there is no node 16 in mesh 4x4; use nodes from 0 to 15"}},
    {"weights that do not match the lengths",
     with_workload("{kind: traffic, packet_length: [1, 5], packet_weights: [1]}").text(),
     {"x.yaml:3:66: workload.packet_weights: 1 weights for 2 packet lengths;"}},
    {"a waveform of wires of a network without signals",
     with("trace: {signals: [router_5, link_3]}").text(),
     {"x.yaml:5:18: trace.signals: a fast network shows routers alone; name router_0 or others, "
      "or set run.implementation to pins"}},
    {"a waveform of nodes whose routers hold packets",
     with("router: {kind: store_and_forward}\ntrace: {signals: [node_5]}").text(),
     {"x.yaml:6:18: trace.signals: a fast network shows routers alone; name router_0 or others"}},
    {"samples of the buffers of circuits",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: clos_requests, load: 0.1}",
                "{window: 50, buffers: 5}", "router: {kind: circuit}"}
         .text(),
     {"x.yaml:4:32: measure.buffers: circuit routers have no buffers; leave it out, or set "
      "router.kind to another"}},
    {"a waveform of what there is not, that ends before it begins",
     with("run: {implementation: pins}\ntrace: {signals: [router_16, node_3, wire_1], from: 9, to: "
          "9}")
         .text(),
     {"x.yaml:6:18: trace.signals: no signals \"router_16\" among router_0 to router_15, link_0 to "
      "link_47, node_0 to node_15 of mesh 4x4; name some of those",
      "x.yaml:6:18: trace.signals: no signals \"wire_1\" among",
      "x.yaml:6:60: trace.to: the waveform ends before it begins; make it more than trace.from, "
      "9"}},
    {"a waveform that begins when the run is over",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "{kind: traffic}",
                "{warmup: 100, window: 200, drain_limit: 50}",
                "run: {implementation: pins}\ntrace: {signals: node_3, from: 350}"}
         .text(),
     {"x.yaml:6:32: trace.from: the run has 350 cycles at most; begin earlier, or measure longer"}},
    {"modules with pins in several threads",
     with("run: {implementation: pins, threads: 2}").text(),
     {"x.yaml:5:23: run.implementation: modules with pins run in one thread; use "
      "run.implementation: "
      "fast, which gives the same results"}},
    {"circuits of modules with pins",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: clos_requests, load: 1}", "{window: 50}",
                "router: {kind: circuit}\nrun: {implementation: pins}"}
         .text(),
     {"x.yaml:6:23: run.implementation: circuits have no modules with pins"}},
    {"a central control of modules with pins",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: clos_requests, load: 1}", "{window: 50}",
                "run: {implementation: pins}"}
         .text(),
     {"x.yaml:5:23: run.implementation: modules with pins have no central control"}},
    {"transactions under a central control",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: traffic, interface: tlm}"}
         .text(),
     {"x.yaml:3:38: workload.interface: a central control knows no requests and responses; use "
      "workload.interface: native"}},
    {"transactions over modules with pins",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, interface: tlm}", "{window: 50}", "run: {implementation: pins}"}
         .text(),
     {"x.yaml:3:38: workload.interface: the pins implementation has no sockets; use "
      "run.implementation: "
      "fast"}},
    {"requests and responses that share a virtual channel",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, interface: tlm}", "{window: 50}", "router: {virtual_channels: 3}"}
         .text(),
     {"x.yaml:5:28: router.virtual_channels: requests and responses cannot share 3 evenly; make "
      "it an even number"}},
    {"too few virtual channels for requests alone",
     Experiment{"{kind: torus, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, interface: tlm}", "{window: 50}", "router: {virtual_channels: 2}"}
         .text(),
     {"x.yaml:5:28: router.virtual_channels: requests and responses have 1 of the 2 each, too few "
      "for dimension_order; make it 4"}},
    {"transactions between more nodes than keep order",
     Experiment{"{kind: mesh, sizes: [33, 32]}", "{kind: dimension_order}",
                "{kind: traffic, interface: tlm}"}
         .text(),
     {"x.yaml:3:38: workload.interface: 1056 nodes are more than the 1024 whose transactions are "
      "kept in order; use a smaller topology"}},
    {"traffic classes beside a load and a pattern",
     with_workload("{kind: traffic, classes: [{name: a}], load: 0.1, pattern: transpose}").text(),
     {"x.yaml:3:49: workload.load: does not apply while workload.classes is [...] and "
      "workload.kind "
      "is traffic; remove it, or set workload.classes to [], or",
      "x.yaml:3:60: workload.pattern: does not apply while workload.classes is [...]"}},
    {"traffic classes of overlapping virtual channels, one of them beyond the router's",
     with_workload("{kind: traffic, classes: [{name: a, virtual_channels: [0, 1]}, {name: b}, "
                   "{name: c, virtual_channels: [3, 4]}]}")
         .text(),
     {"x.yaml:3:74: workload.classes[1].virtual_channels: 0 to 3 overlap with those of "
      "workload.classes[0] (line 3, column 44), 0 to 1; give both classes the same virtual "
      "channels, or none in common",
      "x.yaml:3:113: workload.classes[2].virtual_channels: there is no virtual channel 4: "
      "router.virtual_channels is 4; use 0 to 3"}},
    {"a traffic class with too few virtual channels for its routing",
     Experiment{"{kind: torus, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, classes: [{name: a, virtual_channels: [0, 0]}]}"}
         .text(),
     {"x.yaml:3:36: router.virtual_channels: cyclic channel dependency (possible deadlock): "
      "torus 4x4 needs more than one virtual channel per order of dimensions, for the packets "
      "of a class that has 1 virtual channel; use 2 or more"}},
    {"places for replies where there are none",
     with("node: {reply_queue: 3}").text(),
     {"x.yaml:5:21: node.reply_queue: no packet of this workload has a reply; give it "
      "workload.classes with a reply, or remove it"}},
    {"traffic classes under a central control",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: traffic, classes: [{name: a}]}"}
         .text(),
     {"x.yaml:3:36: workload.classes: a central control admits packets of one class only; leave "
      "the classes out, or use another routing.kind"}},
    {"traffic classes as transactions",
     with_workload("{kind: traffic, classes: [{name: a}], interface: tlm}").text(),
     {"x.yaml:3:60: workload.interface: transactions have message classes of their own, beside "
      "workload.classes; use workload.interface: native"}},
    {"places for replies of modules with pins",
     Experiment{
         "{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
         "{kind: traffic, classes: [{name: a, reply: b, virtual_channels: [0, 1]}, {name: b, "
         "virtual_channels: [2, 3]}]}",
         "{window: 50}", "run: {implementation: pins}\nnode: {reply_queue: 1}"}
         .text(),
     {"x.yaml:5:23: run.implementation: modules with pins have no bounded reply queues; "
      "use run.implementation: fast"}},
    {"flows of stored packets",
     with("router: {kind: store_and_forward}\nrun: {level: flow}").text(),
     {"x.yaml:6:14: run.level: routers that store packets send them over one channel at a time; "
      "flows do not; set run.level: flit"}},
    {"flows of circuits",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: clos_requests, load: 1}", "{window: 50}",
                "router: {kind: circuit}\nrun: {level: flow}"}
         .text(),
     {"x.yaml:6:14: run.level: packets wait for a central control; flows do not; set run.level: "
      "flit"}},
    {"flows under a central control",
     Experiment{"{kind: clos, ports: 4, middle_switches: 10, switches: 4}",
                "{kind: central_control}", "{kind: clos_requests, load: 1}", "{window: 50}",
                "run: {level: flow}"}
         .text(),
     {"x.yaml:5:14: run.level: packets wait for a central control; flows do not; set run.level: "
      "flit"}},
    {"flows that routers copy",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: collective, operation: broadcast, algorithm: dimension_order, forwarding: "
                "routers}",
                "{window: 50}", "run: {level: flow}\nnode: {ports: all}"}
         .text(),
     {"x.yaml:5:14: run.level: routers copy or combine packets; flows do not; set run.level: "
      "flit"}},
    {"flows of an adaptive routing",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: odd_even}", "{kind: traffic}",
                "{window: 50}", "run: {level: flow}"}
         .text(),
     {"x.yaml:5:14: run.level: adaptive routings choose by the state of buffers; flows do not; "
      "set run.level: flit"}},
    {"flows that routers arbitrate by age",
     with("router: {arbitration: age}\nrun: {level: flow}").text(),
     {"x.yaml:6:14: run.level: router.arbitration gives packets unequal shares; flows do not; set "
      "run.level: flit"}},
    {"flows of classes with priorities",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, classes: [{name: a, priority: 1, virtual_channels: [0, 1]}, "
                "{name: b, virtual_channels: [2, 3]}]}",
                "{window: 50}", "run: {level: flow}"}
         .text(),
     {"x.yaml:5:14: run.level: nodes send classes by their priorities; flows do not; set "
      "run.level: flit"}},
    {"flows that wait for places for replies",
     Experiment{
         "{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
         "{kind: traffic, classes: [{name: a, reply: b, virtual_channels: [0, 1]}, {name: b, "
         "virtual_channels: [2, 3]}]}",
         "{window: 50}", "run: {level: flow}\nnode: {reply_queue: 1}"}
         .text(),
     {"x.yaml:5:14: run.level: node.reply_queue makes packets wait in the network; flows do not; "
      "set run.level: flit"}},
    {"flows with what belongs to flits, all at once",
     Experiment{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
                "{kind: traffic, interface: tlm}", "{window: 50, buffers: 5, series: 9}",
                "run: {level: flow, implementation: fast, threads: 2}\n"
                "trace: {signals: [router_5]}"}
         .text(),
     {"x.yaml:3:38: workload.interface: the flow implementation has no sockets; use run.level: "
      "flit",
      "x.yaml:4:32: measure.buffers: routers have buffers; flows do not; set run.level: flit",
      "x.yaml:4:43: measure.series: routers move flits in every span; flows do not; set run.level: "
      "flit",
      "x.yaml:5:36: run.implementation: routers have implementations; flows do not; set "
      "run.level: flit",
      "x.yaml:5:51: run.threads: routers run in several threads; flows do not; set run.level: "
      "flit",
      "x.yaml:6:18: trace.signals: routers have signals; flows do not; set run.level: flit"}},
    {"a log of the flits of flows",
     kFlows.text(),
     {"x.yaml:5:14: run.level: there are no flits for --flit-log and --timeline; leave them out, "
      "or set run.level: flit"},
     {"--flit-log", "f.csv"}},
    {"a timeline of the flits of flows",
     kFlows.text(),
     {"x.yaml:5:14: run.level: there are no flits for --flit-log and --timeline; leave them out, "
      "or set run.level: flit"},
     {"--timeline", "f.json"}},
    {"transactions of a collective operation",
     with_workload("{kind: collective, operation: barrier, algorithm: unicast_rounds, interface: "
                   "tlm}")
         .text(),
     {"x.yaml:3:77: workload.interface: does not apply while workload.kind is collective"}},
    {"a limit of transactions where there are none",
     with_workload("{kind: traffic, outstanding: 3}").text(),
     {"x.yaml:3:27: workload.outstanding: does not apply while workload.interface is native"}},
    {"weights of nothing",
     with_workload("{kind: traffic, packet_length: [1, 5], packet_weights: [0, 0]}").text(),
     {"x.yaml:3:66: workload.packet_weights: all weights are zero;"}},
};

const std::vector<BadInput> kSweeps{
    {"outputs of one run for all points of a sweep",
     with("sweep: {seed: [1, 2]}").text(),
     {"--packet-log: a sweep has many results; name a folder for them with --out, or choose a "
      "point with --point"}},
    {"keys that change together with unequal numbers of values",
     with("sweep: {zip: {seed: [1, 2], workload.load: [0.1]}}").text(),
     {"x.yaml:5:29: sweep.zip: workload.load has 1 values beside 2 of seed; write `zip: "}},
    {"a zip of no map",
     with("sweep: {zip: [1, 2]}").text(),
     {"x.yaml:5:15: sweep.zip: is not a map of keys that change together; "}},
    {"a key in a zip and beside it",
     with("sweep: {seed: [1, 2], zip: {seed: [1, 2]}}").text(),
     {"x.yaml:5:29: sweep.seed: is swept already; leave one of the two out"}},
    {"seeds that are swept and repeated",
     with("sweep: {seed: [1, 2]}\nrepeat: 3").text(),
     {"x.yaml:6:1: repeat: gives every point seeds of its own, and seed is swept; leave one of "
      "the two out"}},
    {"no repetition at all", with("repeat: 0").text(), {"x.yaml:5:9: repeat: 0 is too small; "}},
    {"a search of a misspelt key",
     with("search: {find: saturation, key: workload.laod}").text(),
     {"x.yaml:5:33: search.key: \"workload.laod\" is no key of an experiment with numbers; did you "
      "mean workload.load?"}},
    {"a search of words",
     with("search: {find: saturation, key: routing.kind}").text(),
     {"x.yaml:5:33: search.key: \"routing.kind\" is no key of an experiment with numbers; "
      "search "}},
    {"a search of a load that the workload does not have",
     "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
     "workload: {kind: trace, format: csv, file: x.csv}\nsearch: {find: saturation}\n",
     {"x.yaml:4:16: workload.load: does not apply while workload.kind is trace"}},
    {"a key that is swept and searched",
     with("search: {find: saturation}\nsweep: {workload.load: [0.1, 0.2]}").text(),
     {"x.yaml:5:16: search.key: workload.load is swept and searched; leave one of the two out"}},
    {"a search of a key that has a list",
     "topology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
     "workload: {kind: traffic, load: [0.1, 0.2]}\nsearch: {find: saturation}\n",
     {"x.yaml:3:33: workload.load: is a list, but is searched; leave it out: a search tries one "
      "value for all"}},
    {"a search that ends before it begins",
     with("search: {find: saturation, from: 0.5, to: 0.4}").text(),
     {"x.yaml:5:43: search.to: the search ends before it begins; make it more than search.from, "
      "0.5"},
     {"--point", "0"}},
    {"a search that ends where it begins",
     with("search: {find: saturation, from: 0.5, to: 0.5}").text(),
     {"x.yaml:5:43: search.to: the search ends before it begins; make it more than search.from, "
      "0.5"}},
    {"points of a file without a sweep",
     Experiment{}.text(),
     {"--points: one run has no list of points; "},
     {"--points", "0"}},
    {"a point beyond the sweep",
     with("sweep: {seed: [1, 2]}").text(),
     {"--point 2: there is no such point; the points are 0 to 1"},
     {"--point", "2"}},
    {"a point of a file without a sweep",
     Experiment{}.text(),
     {"--point 1: there is no such point; the points are 0 to 0"},
     {"--point", "1"}},
    {"a sweep of a misspelt key",
     with("sweep: {workload.laod: [0.1]}").text(),
     {"x.yaml:5:9: sweep.workload.laod: unknown key; did you mean workload.load?"},
     {"--point", "0"}},
    {"steps that lead away",
     with("sweep: {workload.load: {from: 0.1, to: 0.3, step: -0.1}}").text(),
     {"x.yaml:5:24: sweep.workload.load: the step does not lead to `to`;"},
     {"--point", "0"}},
};

/// True if some line of `text` begins with `line`.
bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line) != std::string::npos;
}

void refuses(const std::vector<BadInput>& cases) {
  for (const BadInput& one : cases) {
    INFO(one.claim << "\n" << one.text);
    const Folder folder;
    folder.write("x.yaml", one.text);
    Arguments arguments{"run", "x.yaml", "--out", "out", "--packet-log", "log.csv"};
    arguments.insert(arguments.end(), one.more.begin(), one.more.end());
    const std::string error = refusal(folder, arguments);
    for (const std::string& line : one.says) {
      INFO("says:  " << error << "but not:  " << line);
      CHECK(has_line(error, line));
    }
  }
}

}  // namespace

TEST_CASE("a text that is no map of sections is refused with its place", "[program]") {
  refuses(kText);
}

TEST_CASE("unknown, missing and idle keys are refused with the key that was meant", "[program]") {
  refuses(kKeys);
}

TEST_CASE("values of a wrong type or range are refused with those allowed", "[program]") {
  refuses(kValues);
}

TEST_CASE("sections that do not fit together are refused with what would", "[program]") {
  refuses(kMeaning);
}

TEST_CASE("sweeps and points that there are not are refused", "[program]") { refuses(kSweeps); }

TEST_CASE("check and run refuse a search to a value that the experiment cannot have", "[program]") {
  const auto of = [](const std::string& traffic) {
    return with_workload("{kind: traffic, " + traffic + "}").text();
  };
  const Folder folder;
  for (const auto& [text, words] :
       {std::pair(
            of("injection: on_off, peak_load: 0.4") + "search: {find: saturation, to: 0.9}\n",
            "x.yaml:6:32: search.to: workload.load: 0.9 flits per cycle leaves no cycle between "
            "bursts of 100 cycles at 0.4; use at most 0.396"),
        std::pair(of("pattern: hot_spot") +
                      "search: {find: saturation, key: workload.hot_fraction, to: 2}\n",
                  "x.yaml:6:60: search.to: workload.hot_fraction: 2 is too large; write a number "
                  "from 0 to 1")}) {
    INFO(text);
    folder.write("x.yaml", text);
    const std::string error = refusal(folder, {"check", "x.yaml"});
    INFO(error);
    CHECK(says(error, words));
    CHECK(refusal(folder, {"run", "x.yaml"}) == error);
    CHECK(refusal(folder, {"run", "x.yaml", "--point", "0"}) == error);
  }
  // Loads beyond the capacity, at most one flit per cycle, are not run.
  folder.write("x.yaml", of("packet_length: 2") + "search: {find: saturation, to: 5}\n");
  CHECK(run(folder.path(), {"check", "x.yaml"}).exit_code == 0);
}

TEST_CASE("check ends at fifty problems of a sweep, or at a thousand points that have them",
          "[program]") {
  const Folder folder;
  const auto check = [&](const Experiment& experiment) {
    folder.write("x.yaml", experiment.text());
    return refusal(folder, {"check", "x.yaml"});
  };
  CHECK(says(check(with("sweep: {workload.load: {from: 4.8, to: 104.8, step: 0.1}}")),
             "x.yaml:5:1: sweep: the check has ended after 52 of 1001 points; correct these "
             "problems first\n"));
  Experiment same = with("sweep: {seed: {from: 1, to: 1200, step: 1}}");
  same.routing = "{kind: odd_even}";
  same.more += "\nrouter: {kind: store_and_forward}";
  CHECK(says(check(same), "x.yaml:5:1: sweep: the check has ended after 1000 of 1200 points;"));
}

TEST_CASE("check tells the faults of values together with those of networks", "[program]") {
  const Folder folder;
  folder.write("x.yaml", with("sweep: {workload.load: [5.5, -1]}").text());
  const std::string error = refusal(folder, {"check", "x.yaml"});
  CHECK(says(error, "workload.load: 5.5 flits per cycle is more than one packet of 5 flits"));
  CHECK(says(error, "workload.load: -1"));
}

TEST_CASE("all faults of a file are told at once, in its order", "[program]") {
  const Folder folder;
  folder.write("x.yaml",
               "topology: {kind: mesh, sizes: [4, x], nodes: 3}\n"
               "routing: {kind: magic}\n"
               "router:\n"
               "  virtual_chanels: 2\n"
               "  buffer_depth: 0\n"
               "  buffer_depth: 4\n"
               "workload: {kind: traffic, load: -1}\n"
               "measure: {window: 0}\n");
  const std::string error = refusal(folder, {"run", "x.yaml", "--set", "seed=x"});
  std::size_t position = 0;
  for (const char* line :
       {"--set seed=x: seed: ", "\nx.yaml:1:35: topology.sizes: ",
        "\nx.yaml:1:39: topology.nodes: ", "\nx.yaml:2:17: routing.kind: ",
        "\nx.yaml:4:3: router.virtual_chanels: ", "\nx.yaml:5:17: router.buffer_depth: ",
        "\nx.yaml:6:3: router.buffer_depth: ", "\nx.yaml:7:33: workload.load: ",
        "\nx.yaml:8:19: measure.window: "}) {
    INFO(error << "lacks, or has too early:" << line);
    const std::size_t found = error.find(line, position);
    CHECK(found != std::string::npos);
    if (found != std::string::npos) position = found;
  }
}

TEST_CASE("faults of routing, workload and router are told together", "[program]") {
  const Folder folder;
  folder.write("x.yaml", Experiment{"{kind: hypercube, dimension: 3}", "{kind: dimension_order}",
                                    "{kind: traffic, pattern: hot_spot, hot_spots: 8, load: 9}",
                                    "{window: 50}"}
                             .text());
  const std::string error = refusal(folder, {"run", "x.yaml"});
  CHECK(has_line(error, "x.yaml:2:17: routing.kind: "));
  CHECK(has_line(error, "x.yaml:3:57: workload.hot_spots: "));
  CHECK(has_line(error, "x.yaml:3:66: workload.load: "));
}

TEST_CASE("check names the orders of packets under which some can starve", "[program]") {
  const Folder folder;
  folder.write(
      "x.yaml",
      with_workload("{kind: traffic, classes: [{name: a, priority: 1}, {name: b}]}").text());
  for (const char* order : {"round_robin", "age", "weighted", "priority", "hops", "guaranteed"}) {
    INFO(order);
    const Outcome seen = run(
        folder.path(), {"check", "x.yaml", "--set", std::string("router.arbitration=") + order});
    CHECK(seen.exit_code == 0);
    const std::string line = std::string("  order     ") + order + ": packets starve while";
    const bool starves = *order == 'p' || *order == 'h' || *order == 'g';
    CHECK(has_line(seen.out, line) == starves);
  }
}

TEST_CASE("check refuses what run refuses, in the same words", "[program]") {
  for (const auto* cases : {&kText, &kKeys, &kValues, &kMeaning}) {
    for (const BadInput& one : *cases) {
      if (!one.more.empty()) continue;
      INFO(one.claim);
      const Folder folder;
      folder.write("x.yaml", one.text);
      CHECK(refusal(folder, {"check", "x.yaml"}) == refusal(folder, {"run", "x.yaml"}));
    }
  }
}
