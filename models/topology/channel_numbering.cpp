// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_numbering.h"

namespace flitcast {

std::string ChannelNumbering::name(std::size_t channel) const {
  const auto router = [](Endpoint end) { return std::to_string(index(end.router)); };
  if (channel < links()) {
    const Channel& link = topology_.channels()[channel];
    return router(link.from) + " -> " + router(link.to);
  }
  const Attachment& attachment = topology_.attachment(node(channel), node_port(channel));
  std::string its_node = "node " + std::to_string(index(node(channel)));
  if (topology_.node_ports() > 1) its_node += " port " + std::to_string(node_port(channel));
  return is_injection(channel) ? its_node + " -> " + router(attachment.injection)
                               : router(attachment.ejection) + " -> " + its_node;
}

}  // namespace flitcast
