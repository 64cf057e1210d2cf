// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/stream_terminal.h"

#include <stdexcept>
#include <string>

namespace flitcast {

StreamParams sound_stream(const Fabric& fabric, NodeId node, StreamParams params) {
  if (params.store_flits == 0) params.store_flits = params.max_flits + 2;
  if (index(node) >= fabric.topology().node_count() || fabric.topology().node_ports() != 1) {
    throw std::invalid_argument("a stream needs a node of the network that has one port");
  }
  PacketRequest longest{node, params.max_flits};
  longest.message_class = params.message_class;
  std::string problem = fabric.partitions().of(node).packet_maker().problem_of(longest);
  if (problem.empty() && params.store_flits < params.max_flits) {
    problem = "store_flits must be at least max_flits";
  }
  if (problem.empty() && params.store_packets == 0) problem = "store_packets must be at least 1";
  const EjectionBuffer* const taken = fabric.node_interface(node).bounded;
  if (problem.empty() && taken != nullptr &&
      (taken->streamed == 0 || (taken->streamed >> params.message_class & 1) != 0)) {
    problem = "the node has another receiver of this message class";
  }
  if (!problem.empty()) throw std::invalid_argument(problem);
  return params;
}

}  // namespace flitcast
