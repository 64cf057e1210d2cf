// SPDX-License-Identifier: Apache-2.0
#include "network/views.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "network/fabric.h"

namespace flitcast {

Router::Router(const sc_core::sc_module_name& name, RouterId id, const RouterState& state,
               bool full)
    : sc_module(name), id_(id), state_(state) {
  if (!full) return;
  for (std::uint16_t port = 0; port < state.input_ports; ++port) {
    const std::string buffer = "input_" + std::to_string(port);
    buffers_.push_back(std::make_unique<FlitBuffer>(buffer.c_str(), state, PortId{port}));
  }
  crossbar_ = std::make_unique<Crossbar>("crossbar", state);
}

unsigned Router::occupancy() const {
  unsigned flits = 0;
  for (unsigned i = 0; i < state_.vc_index(state_.input_ports, 0); ++i) {
    flits += state_.inputs[i].count;
  }
  return flits;
}

Terminal::Terminal(const sc_core::sc_module_name& name, NodeId node, Fabric& fabric)
    : sc_module(name), node_(node), fabric_(fabric) {}

void Terminal::send(const PacketRequest& request) {
  if (index(request.destination) >= fabric_.topology().node_count()) {
    throw std::invalid_argument("node " + std::to_string(index(request.destination)) +
                                " is outside the network of " +
                                std::to_string(fabric_.topology().node_count()) + " nodes");
  }
  if (request.length == 0 || request.length > kMaxPacketLength) {
    throw std::invalid_argument("a packet of " + std::to_string(request.length) +
                                " flits; lengths are 1 to " + std::to_string(kMaxPacketLength));
  }
  fabric_.region_of(node_).submit(fabric_.local_index(node_), request, fabric_.now());
}

void Terminal::listen() {
  if (!fabric_.params().lockstep) throw std::logic_error("only a lockstep fabric is listened to");
  listening_ = true;
}

void Terminal::deliver(const Delivery& delivery) {
  inbox_.push_back(delivery);
  delivered_.notify(sc_core::SC_ZERO_TIME);
}

std::vector<Delivery> Terminal::take_deliveries() { return std::exchange(inbox_, {}); }

std::uint64_t Terminal::flits_sent() const { return fabric_.flits_injected(node_); }

std::uint64_t Terminal::flits_received() const { return fabric_.flits_ejected(node_); }

}  // namespace flitcast
