// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/views.h"

#include <string>

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

}  // namespace flitcast
