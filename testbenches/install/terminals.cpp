// SPDX-License-Identifier: Apache-2.0
// A network beside other SystemC modules: clients that send requests to servers through terminals,
// with a clock and a reset from outside. Requests and responses are two message classes, and the
// queues of terminals are bounded.
#include <flitcast/fabric.h>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

using flitcast::Arrival;
using flitcast::Bytes;
using flitcast::NodeId;
using flitcast::PacketRequest;
using flitcast::Terminal;

constexpr std::uint8_t kRequest = 0;
constexpr std::uint8_t kResponse = 1;
constexpr std::uint64_t kQuestions = 25;

PacketRequest packet(NodeId to, std::uint32_t flits, std::uint8_t message_class,
                     std::uint64_t tag) {
  PacketRequest request;
  request.destination = to;
  request.length = flits;
  request.message_class = message_class;
  request.tag = tag;
  return request;
}

/// Sends its server one request after the other and waits for each response.
struct Client : sc_core::sc_module {
  Client(const sc_core::sc_module_name& name, Terminal& its_terminal, NodeId its_server)
      : sc_module(name), terminal(its_terminal), server(its_server) {
    SC_HAS_PROCESS(Client);
    SC_THREAD(ask);
    terminal.bound_queue(2);
    terminal.listen(1);
  }
  void ask() {
    for (std::uint64_t question = 0; question < kQuestions; ++question) {
      terminal.put(packet(server, 1, kRequest, question),
                   Bytes{static_cast<std::uint8_t>(question)});
      const Arrival answer = terminal.get(kResponse);
      if (answer.packet.tag == question && answer.bytes == Bytes(4, answer.bytes[0])) ++answers;
    }
  }
  Terminal& terminal;
  const NodeId server;
  std::uint64_t answers = 0;
};

/// Answers each request by four bytes.
struct Server : sc_core::sc_module {
  Server(const sc_core::sc_module_name& name, Terminal& its_terminal)
      : sc_module(name), terminal(its_terminal) {
    SC_HAS_PROCESS(Server);
    SC_THREAD(serve);
    terminal.listen(2);
  }
  void serve() {
    for (;;) {
      const Arrival question = terminal.get(kRequest);
      wait(20, sc_core::SC_NS);
      terminal.put(packet(question.packet.source, 4, kResponse, question.packet.tag),
                   Bytes(4, question.bytes.at(0)));
    }
  }
  Terminal& terminal;
};

}  // namespace

int sc_main(int, char*[]) {
  const flitcast::Grid mesh = flitcast::mesh({4, 4});
  flitcast::NetworkParams params;
  params.router.virtual_channels = 4;
  flitcast::DimensionOrder::Params one_class;
  one_class.classes = flitcast::VcClasses::kNone;
  one_class.virtual_channels = 2;
  const flitcast::MessageClasses routing(
      std::make_unique<flitcast::DimensionOrder>(mesh, one_class), 2, 4);

  sc_core::sc_clock clock("clock", 2, sc_core::SC_NS);
  sc_core::sc_signal<bool> reset("reset", false);
  flitcast::Fabric fabric("fabric", mesh, routing, params);
  fabric.clk_i(clock);
  fabric.rst_ni(reset);

  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::unique_ptr<Server>> servers;
  for (std::uint32_t node = 0; node < 8; ++node) {
    const std::string number = std::to_string(node);
    clients.push_back(std::make_unique<Client>(
        ("client_" + number).c_str(), fabric.terminal(NodeId{node}), NodeId{15 - node / 2}));
    servers.push_back(
        std::make_unique<Server>(("server_" + number).c_str(), fabric.terminal(NodeId{8 + node})));
  }
  sc_core::sc_start(10, sc_core::SC_NS);
  reset = true;
  sc_core::sc_start(20, sc_core::SC_US);

  std::uint64_t answers = 0;
  for (const auto& client : clients) answers += client->answers;
  fabric.audit();
  const flitcast::Totals totals = fabric.totals();
  std::cout << answers << " answers to 8 clients, " << totals.packets_created << " packets, "
            << totals.packets_created - totals.packets_delivered << " in flight\n";
  return 0;
}
