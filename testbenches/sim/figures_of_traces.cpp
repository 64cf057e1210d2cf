// SPDX-License-Identifier: Apache-2.0
// Figures of traces that are short enough to compute everything by hand.
#include <algorithm>
#include <map>

#include "energy_tables.h"
#include "figure_paths.h"
#include "topology/grid.h"
#include "traffic/chakra_writer.h"

namespace flitcast::program {
namespace {

Experiment trace(const std::string& topology, const std::string& routing, const std::string& file,
                 const std::string& more) {
  return {topology, routing, "{kind: trace, format: csv, file: FOLDER/" + file + "}",
          "{watchdog: 2000}", more};
}

// The links of the mesh take two cycles per flit.

std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> flits_by_output(
    const Packets& packets) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> flits;
  for (const LoggedPacket& packet : packets) {
    for (const Endpoint& output : way_through_mesh(packet.source, packet.destination)) {
      flits[{index(output.router), index(output.port)}] += packet.length;
    }
  }
  return flits;
}

/// Returns a row of the list for a channel of `pace` cycles per flit that carried `carried` flits.
Json link_row(Json link, double pace, std::uint64_t carried, const Observed& seen) {
  link["flits"] = carried;
  link["load"] =
      pace * static_cast<double>(carried) / static_cast<double>(seen.cycles_to_last_arrival());
  return link;
}

/// Node n is at router n, whose last output leads to it.
Json links(const Observed& seen) {
  auto flits = flits_by_output(seen.log);
  std::vector<Json> links;
  const Grid grid = mesh({4, 4});
  for (const Channel& channel : grid.channels()) {
    const auto from = index(channel.from.router);
    const auto port = index(channel.from.port);
    links.push_back(link_row(
        {{"kind", "router"}, {"from", from}, {"port", port}, {"to", index(channel.to.router)}}, 2,
        flits[{from, port}], seen));
  }
  for (std::uint32_t node = 0; node < 16; ++node) {
    const Packets sent =
        where(seen.log, [&](const LoggedPacket& packet) { return packet.source == node; });
    links.push_back(link_row({{"kind", "injection"}, {"node", node}, {"to", node}}, 1,
                             sum(sent, length), seen));
  }
  for (std::uint32_t node = 0; node < 16; ++node) {
    const auto port = index(grid.attachment(NodeId{node}).ejection.port);
    links.push_back(link_row({{"kind", "ejection"}, {"node", node}, {"from", node}, {"port", port}},
                             2, flits[{node, port}], seen));
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const Json& a, const Json& b) { return a.at("load") > b.at("load"); });
  return links;
}

/// Makes a row for a member of every row of the list, null where a row has none.
FigureRow column(const std::string& member) {
  return {"links." + member, [member](const Observed& seen) {
            Json column = Json::array();
            for (const Json& link : links(seen)) column.push_back(link.value(member, Json()));
            return column;
          }};
}

std::uint64_t hops(const LoggedPacket& packet) {
  return packet.length * way_through_mesh(packet.source, packet.destination).size();
}

Json flits_per_node_and_cycle(const Observed& seen) {
  return static_cast<double>(sum(seen.log, length)) /
         static_cast<double>(16 * seen.cycles_to_last_arrival());
}

// The run ends at a multiple of 64 cycles, because it checks for completion every 64 cycles.
Json cycles_to_the_end(const Observed& seen) { return (seen.log.back().arrived / 64 + 1) * 64; }

}  // namespace

FigureGroup slow_trace() {
  const auto all_flits = of_packets([](const Packets& packets) { return sum(packets, length); });
  return {
      trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "mesh.csv",
            "link: {cycles_per_flit: 2}\nnode: {ports: 2}"),
      {{"completion_cycle",
        of_packets([](const Packets& packets) { return packets.back().arrived + 1; })},
       {"cycles", cycles_to_the_end},
       {"window_cycles", [](const Observed& seen) { return Json(seen.cycles_to_last_arrival()); }},
       {"packets.created", always(6)},
       {"packets.delivered", always(6)},
       {"flits.injected", all_flits},
       {"flits.ejected", all_flits},
       {"flits.hops", of_packets([](const Packets& packets) { return sum(packets, hops); })},
       {"offered_flits_per_node_cycle", flits_per_node_and_cycle},
       {"accepted_flits_per_node_cycle.mean", flits_per_node_and_cycle},
       // Including the node's port, 4 corners have 4 ports, 8 routers have 5 and 4 routers have
       // 6.
       {"cost.crosspoints", always(4 * 16 + 8 * 25 + 4 * 36)},
       {"cost.buffer_flits", always((4 * 4 + 8 * 5 + 4 * 6) * 4 * 8)}}};
}

FigureGroup timed_link() {
  return {trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "mesh.csv",
                "link: {exceptions: [{from: 1, to: 2, latency: 9}]}"),
          {{"links.latency", [](const Observed& seen) {
              Json column = Json::array();
              for (const Json& link : seen.result.at("links")) {
                const bool timed = link.value("from", 0) == 1 && link.value("to", 0) == 2;
                column.push_back(timed ? Json(9) : Json());
              }
              return column;
            }}}};
}

FigureGroup slow_links() {
  return {trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "mesh.csv",
                "link: {cycles_per_flit: 2}"),
          {{"links", links},
           column("kind"),
           column("node"),
           column("from"),
           column("port"),
           column("to"),
           column("flits"),
           column("load")}};
}

// From node 0 to node 3 a packet takes 2 cycles to the router, 4 in each of 4 routers, 1 on each of
// 3 links and to the node, and a cycle for each flit after the head. The second packet leaves its
// queue after the 9 flits of the first.
FigureGroup two_packets() {
  constexpr double kHead = 2 + 4 * 4 + 3 + 1;
  return {trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "two.csv", {}),
          {{"latency_cycles.mean", always(kHead + (8.0 + 9 + 4) / 2)},
           {"network_latency_cycles.mean", always(kHead + (8.0 + 4) / 2)},
           {"hops_mean", always(4.0)}}};
}

// Transactions on the same mesh: a packet of 5 flits from node 0 to node 3, then one of a flit from
// a node to itself while another node sends itself 2 flits. A request waits a cycle and takes 2
// cycles to the router, 4 in each router, 1 on each link and to the node, and one for each flit
// after the head; a response of one flit takes the same on its way back.
FigureGroup three_transactions() {
  constexpr int kFar = 1 + 2 + 4 * 4 + 3 + 1;
  constexpr int kNear = 1 + 2 + 4 + 1;
  return {{"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
           "{kind: trace, format: csv, file: FOLDER/transactions.csv, interface: tlm}",
           "{watchdog: 2000}", ""},
          {{"transactions.answered", always(3)},
           {"transactions.request_flits", always(5 + 1 + 2)},
           {"transactions.response_flits", always(3)},
           {"transactions.request_cycles",
            always(static_cast<double>(kFar + 4 + kNear + kNear + 1) / 3)},
           {"transactions.response_cycles", always(static_cast<double>(kFar + 2 * kNear) / 3)},
           {"transactions.most_outstanding", always(2)},
           {"latency_cycles.max", always(2 * kFar + 4)},
           {"completion_cycle", always(200 + 2 * kNear + 2)},
           {"flits.injected", always(5 + 1 + 2 + 3)},
           {"hops_mean", always(2 * (4.0 + 1 + 1) / 3)}}};
}

// The packets of three neighbours are in the queue of one output of the middle router at once, so
// two of them wait behind the first.
FigureGroup crowded_queue() {
  return {trace("{kind: mesh, sizes: [3, 3]}", "{kind: dimension_order, order: descending}",
                "queue.csv", "router: {kind: store_and_forward}"),
          {{"buffers.max_queue", always(3)},
           {"buffers.max_held", always(2)},
           // Four corners have 3 ports, 4 routers have 4 and one has 5.
           {"cost.crosspoints", always(4 * 9 + 4 * 16 + 25)},
           {"cost.buffer_packets", always((4 * 3 + 4 * 4 + 5) * 4 * 8)}}};
}

namespace {

// Circuits of v(1, 2, 2). Alone a packet takes t_req 1, T_ctl 3, t_cfg 1, 3 t_s and its flits but
// one. The trace has pairs of packets, and in each pair the second packet waits for a different
// resource.

std::uint64_t wait(const LoggedPacket& packet) {
  return latency(packet) - (1 + 3 + 1 + 3 + packet.length - 1);
}

std::function<Json(const Observed&)> waits_from(std::uint64_t begin) {
  return of_packets([begin](const Packets& packets) {
    return sum(where(packets,
                     [begin](const LoggedPacket& packet) {
                       return packet.created >= begin && packet.created < begin + 1000;
                     }),
               wait);
  });
}

}  // namespace

FigureGroup circuit_trace() {
  return {
      trace("{kind: clos, ports: 2, middle_switches: 1, switches: 2}", "{kind: central_control}",
            "circuits.csv", "router: {kind: circuit}"),
      {{"topology.nodes", always(4)},
       {"topology.routers", always(2 + 1 + 2)},
       {"topology.channels", always(2 * 1 + 1 * 2)},
       {"flits.hops", of_packets([](const Packets& packets) { return 3 * sum(packets, length); })},
       {"hops_mean", always(3.0)},
       {"cost.crosspoints", always(2 * 2 * 1 + 2 * 2 + 2 * 1 * 2)},
       {"circuit.requests", always(9)},
       {"circuit.granted", always(9)},
       {"circuit.blocked", always(1)},
       {"circuit.dropped", always(0)},
       {"circuit.controller_cycles", always(9 * 3 + 2)},  // The blocked one takes no last clock.
       {"circuit.wait_cycles.source", waits_from(1000)},
       {"circuit.wait_cycles.outputs", waits_from(2000)},
       {"circuit.wait_cycles.controller", waits_from(3000)},
       {"circuit.wait_cycles.path", waits_from(4000)}}};
}

// Packets on the same network. In two pairs of packets for one output the later packet waits for
// the output. Then a long packet of node 0 blocks the path of one of node 1, which is tried again
// without success when the packet of node 2 has arrived.
FigureGroup controlled_trace() {
  return {trace("{kind: clos, ports: 2, middle_switches: 1, switches: 2}",
                "{kind: central_control}", "controlled.csv", "router: {virtual_channels: 1}"),
          {{"control.admitted", of_packets([](const Packets& packets) { return packets.size(); })},
           {"control.waited_for_outputs", always(2)},
           {"control.waited_for_path", always(1)},
           {"control.most_passes", always(1)}}};
}

// A program of two ranks at the corners of a line of four routers. A message of n flits takes 2
// cycles to the router, 4 in each of 4 routers, 1 on each of 3 links and to the node, n for its
// flits, and before each message a start-up of 6.
FigureGroup computed_path() {
  constexpr int kWay = 2 + 4 * 4 + 3 + 1;
  // 100 bytes are sent in two packets of 5 and 4 flits; 16 bytes return in one packet of 2.
  constexpr int kNetwork = kWay + 9 + kWay + 2;
  constexpr int kCompute = 2 * 1000 + 3 * 1000 + 5 * 1000;
  Experiment experiment = trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "", "");
  experiment.workload = "{kind: trace, format: chakra, file: FOLDER/pair, nodes: [0, 3], mtu: 64}";
  experiment.more = "node: {startup: 6}";
  return {experiment,
          {{"critical_path.cycles", always(kCompute + kNetwork + 2 * 6)},
           {"critical_path.compute", always(kCompute)},
           {"critical_path.startup", always(2 * 6)},
           {"critical_path.network", always(kNetwork)},
           {"critical_path.credits", always(0)},
           {"critical_path.contention", always(0)},
           {"critical_path.messages", always(2)},
           {"ranks.node", always(Json::array({0, 3}))},
           {"ranks.compute", always(Json::array({7000, 3000}))},
           {"ranks.idle", always(Json::array({kNetwork + 2 * 6 + kCompute - 7000,
                                              kNetwork + 2 * 6 + kCompute - 3000}))},
           {"completion_cycle", always(kCompute + kNetwork + 2 * 6)}}};
}

// Two neighbours of a node send it 40 flits each in cycle 7, and it sends an answer of 2 flits when
// it has received both. The flits of the later packet wait for the others at the ejection channel.
FigureGroup contended_path() {
  constexpr int kWay = 2 + 4 * 2 + 1 + 1;
  constexpr int kNetwork = kWay + 40 + kWay + 2;
  Experiment experiment = trace("{kind: mesh, sizes: [3, 3]}", "{kind: dimension_order}", "", "");
  experiment.workload =
      "{kind: trace, format: chakra, file: FOLDER/meeting, nodes: [3, 4, 5], clock_mhz: 7}";
  const auto until_last_arrival = [](const Packets& packets) { return packets.back().arrived + 1; };
  return {experiment,
          {{"critical_path.cycles", of_packets(until_last_arrival)},
           {"critical_path.contention", of_packets([=](const Packets& packets) {
              return until_last_arrival(packets) - 7 - kNetwork;
            })},
           {"critical_path.network", always(kNetwork)}}};
}

// Two neighbours over a channel of 20 cycles, whose buffers hold 4 of the 24 flits of a round trip:
// after every 4 flits a message waits for 20 cycles.
FigureGroup stalled_path() {
  constexpr int kNetwork = 2 + 4 * 2 + 20 + 1 + 41;
  constexpr int kStalls = 10 * 20;
  Experiment experiment =
      trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "",
            "link: {latency: 20}\nrouter: {buffer_depth: 4, virtual_channels: 1}");
  experiment.workload = "{kind: trace, format: chakra, file: FOLDER/stalled}";
  return {experiment,
          {{"critical_path.cycles", always(kNetwork + kStalls)},
           {"critical_path.network", always(kNetwork)},
           {"critical_path.credits", always(kStalls)},
           {"critical_path.contention", always(0)}}};
}

// An all-reduce of all ranks, and two all-gathers.
FigureGroup summed_up() {
  Experiment experiment = trace("{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "", "");
  experiment.workload =
      "{kind: trace, format: chakra, file: FOLDER/summed, collectives: {all_gather: bruck}}";
  return {experiment,
          {{"replayed_collectives.operation", always(Json::array({"all_reduce", "all_gather"}))},
           {"replayed_collectives.algorithm", always(Json::array({"ring", "bruck"}))},
           {"replayed_collectives.ranks", always(Json::array({3, 3}))},
           {"replayed_collectives.count", always(Json::array({1, 2}))},
           {"notes", always(Json::array({"adding up in collectives takes no time; set "
                                         "workload.combine to the GB/s that a rank adds up"}))}}};
}

void write_traces(const Folder& folder) {
  write_energy_tables(folder);
  write_chakra(folder, "meeting",
               {{computation(1, 1), send(2, 1, 39 * 16, {1}), receive(3, 1, 16)},
                {receive(1, 0, 39 * 16), receive(2, 2, 39 * 16), send(3, 0, 16, {1, 2})},
                {computation(1, 1), send(2, 1, 39 * 16, {1})}});
  write_chakra(
      folder, "pair",
      {{computation(1, 2), send(2, 1, 100, {1}), receive(3, 1, 16), computation(4, 5, {3})},
       {receive(1, 0, 100), computation(2, 3, {1}), send(3, 0, 16, {2})}});
  write_chakra(folder, "stalled", {{send(1, 1, 40 * 16)}, {receive(1, 0, 40 * 16)}});
  write_chakra(
      folder, "summed",
      ChakraProgram(3, {collective(1, 0, 60), collective(2, 2, 20), collective(3, 2, 20)}));
  const std::string columns = "cycle,src,dst,flits\n";
  folder.write("mesh.csv", columns +
                               "0,0,15,9\n0,15,0,5\n3,5,6,17\n10,6,4,2\n40,12,3,30\n"
                               "60,9,9,4\n");
  folder.write("crowded.csv", crowded_trace());
  folder.write("two.csv", columns + "0,0,3,9\n0,0,3,5\n");
  folder.write("transactions.csv", columns + "0,0,3,5\n200,15,15,1\n200,12,12,2\n");
  folder.write("queue.csv", columns + "0,1,5,2\n0,3,5,2\n0,7,5,2\n");
  folder.write("circuits.csv", columns +
                                   "0,0,2,10\n"
                                   "1000,0,2,10\n1000,0,3,10\n"
                                   "2000,0,2,20\n2000,3,2,20\n"
                                   "3000,0,0,30\n3000,2,2,30\n"
                                   "4000,0,0,40\n4025,1,2,40\n");
  folder.write("controlled.csv", columns +
                                     "0,0,2,20\n0,3,2,20\n1000,0,3,20\n1000,1,3,20\n"
                                     "2000,0,0,100\n2000,2,2,10\n2005,1,1,5\n");
}

}  // namespace flitcast::program
