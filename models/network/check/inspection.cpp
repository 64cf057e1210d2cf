// SPDX-License-Identifier: Apache-2.0
#include "network/check/inspection.h"

#include "base/figures.h"
#include "base/sequences.h"
#include "network/fabric/fabric_plan.h"

namespace flitcast {

BufferedNetwork::BufferedNetwork(const Topology& topology, const NetworkParams& params,
                                 const Routing& routing)
    : topology_(topology), routing_(routing), params_(params) {
  params_.router = router_params(params, topology, routing);
}

BufferedNetwork::PortFlits BufferedNetwork::flits_of(NodeId node) const {
  PortFlits sum;
  for (std::size_t port = 0; port < topology_.node_ports(); ++port) {
    const PortFlits flits = port_flits(node, port);
    sum.created += flits.created;
    sum.injected += flits.injected;
    sum.ejected += flits.ejected;
  }
  return sum;
}

void BufferedNetwork::write_figures(nlohmann::ordered_json& result) const {
  const auto network = inspection();
  if (params_.cores->figures != nullptr) params_.cores->figures->write(*network, result);
  cost_figures().write(*network, result);
}

void BufferedNetwork::audit() const { flitcast::audit(*inspection()); }

std::vector<BlockedVc> BufferedNetwork::find_deadlock() const {
  return params_.cores->find_deadlock(*inspection());
}

std::uint64_t BufferedNetwork::longest_standstill() const {
  return 2 * (params_.startup + std::uint64_t{FabricPlan::wheel_rows(topology_, params_, 1)} *
                                    most_cycles_per_flit(topology_, params_));
}

Inspection::Inspection(const BufferedNetwork& network) : network_(network) {
  const Topology& topology = network.topology();
  for (const RouterId router : topology.routers()) {
    from_.emplace_back(topology.output_count(router), kNone);
    to_.emplace_back(topology.input_count(router), kNone);
  }
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Channel& channel = topology.channels()[c];
    from_[index(channel.from.router)][index(channel.from.port)] = c;
    to_[index(channel.to.router)][index(channel.to.port)] = c;
  }
}

std::uint64_t Inspection::sum(std::uint64_t RouterState::*counter) const {
  return sum_of<std::uint64_t>(topology().routers(),
                               [&](const RouterId router) { return state(router).*counter; });
}

}  // namespace flitcast
