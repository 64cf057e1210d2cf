// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace flitcast {

/// Which port of its node a packet leaves its last router by. Routings know a node's first output
/// only; what comes in by different inputs goes out to a node with several ports by different
/// ports, as long as they last: by number, inputs modulo ports.
///
/// @param further_ports  Per output of the router: a node's second output if this is its first, the
///                       others following it; else 0. Null where nodes have one port.
inline PortId spread_over_node(PortId output, unsigned input_port, std::size_t node_ports,
                               const std::uint16_t* further_ports) {
  if (further_ports == nullptr) return output;
  const std::size_t port = input_port % node_ports;
  const std::uint16_t further = further_ports[index(output)];
  return further == 0 || port == 0 ? output
                                   : PortId{static_cast<std::uint16_t>(further + port - 1)};
}

}  // namespace flitcast
