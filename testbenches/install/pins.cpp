// SPDX-License-Identifier: Apache-2.0
// A testbench elsewhere that wires two routers with pins by hand, each with a node.
#include <flitcast/fabric.h>
#include <flitcast/pins.h>

#include <iostream>

namespace {

using namespace flitcast;

/// Node 0 sends three packets of four flits to node 1.
class ThreePackets : public PacketSource {
 public:
  Cycle first(NodeId node) override { return index(node) == 0 ? Cycle{1} : kNever; }
  Cycle create(NodeId, Cycle now, std::vector<PacketRequest>& packets) override {
    packets.push_back({NodeId{1}, 4});
    return now < Cycle{3} ? now + 1 : kNever;
  }
};

}  // namespace

int sc_main(int, char*[]) {
  const Grid topology = mesh({2});
  DimensionOrder::Params one_class;
  one_class.classes = VcClasses::kNone;
  const DimensionOrder routing(topology, one_class);
  NetworkParams params;
  params.router.virtual_channels = 2;
  params.router.buffer_depth = 4;

  sc_core::sc_clock clk("clk", 1, sc_core::SC_NS);
  sc_core::sc_signal<bool> rst_n("rst_n", true);
  ThreePackets source;
  pins::PacketLedger ledger("ledger", source);
  ledger.clk_i(clk);
  const PacketMaker maker(2, 1, routing, params);
  const std::vector<pins::Site> sites = pins::sites_of(topology, params);
  pins::WormholeRouter left("left", sites[0], routing), right("right", sites[1], routing);
  pins::Injector node_0("node_0", {NodeId{0}, 1, 2, 4}, maker, routing, ledger);
  pins::Ejector node_1("node_1", {NodeId{1}, 0, 2}, ledger);
  for (sc_core::sc_in<bool>* port : {&left.clk_i, &right.clk_i, &node_0.clk_i, &node_1.clk_i}) {
    port->bind(clk);
  }
  for (sc_core::sc_in<bool>* port : {&left.rst_ni, &right.rst_ni, &node_0.rst_ni, &node_1.rst_ni}) {
    port->bind(rst_n);
  }

  const pins::LinkMonitor::Params watched{2, 4};
  pins::Connection injection("injection", {}, watched, clk, rst_n);
  pins::Connection link("link", {}, watched, clk, rst_n);
  pins::Connection ejection("ejection", {}, watched, clk, rst_n);
  const Attachment& from = topology.attachment(NodeId{0});
  const Attachment& to = topology.attachment(NodeId{1});
  node_0.out(0).bind(injection.sent);
  bind_input(left, index(from.injection.port), injection.received);
  bind_output(left, index(output_to(topology, RouterId{0}, RouterId{1})), link.sent);
  bind_input(right, index(input_from(topology, RouterId{1}, RouterId{0})), link.received);
  bind_output(right, index(to.ejection.port), ejection.sent);
  node_1.in.bind(ejection.received);

  pins::TieOff open;
  open.rest(left);
  open.rest(right);

  sc_core::sc_start(100, sc_core::SC_NS);
  std::cout << ledger.totals().packets_delivered << " packets in " << link.monitor().flits()
            << " flits\n";
  return 0;
}
