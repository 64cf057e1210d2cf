// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// What fabrics and networks of modules with pins have in common: a network of routers with
/// buffers, which can be inspected.
class BufferedNetwork : public Network {
 public:
  /// Flits of a port of a node since the start.
  struct PortFlits {
    std::uint64_t created = 0;
    std::uint64_t injected = 0;
    std::uint64_t ejected = 0;
  };

  const Topology& topology() const { return topology_; }
  const NetworkParams& params() const { return params_; }
  const Routing& routing() const { return routing_; }

  std::uint64_t flit_hops() const override;
  virtual PortFlits port_flits(NodeId node, std::size_t port) const = 0;
  std::uint64_t flits_created(NodeId node) const override { return flits_of(node).created; }
  std::uint64_t flits_injected(NodeId node) const override { return flits_of(node).injected; }
  std::uint64_t flits_injected(NodeId node, std::size_t port) const override {
    return port_flits(node, port).injected;
  }
  std::uint64_t flits_ejected(NodeId node) const override { return flits_of(node).ejected; }
  /// At the end of the last reset.
  const Totals& totals_at_reset() const { return totals_at_reset_; }

  void write_figures(nlohmann::ordered_json& result) const override;
  void audit() const override;
  std::vector<BlockedVc> find_deadlock() const override;
  /// Longer than any start-up, flight or credit return takes.
  std::uint64_t longest_standstill() const override;

 protected:
  /// `topology` and `routing` must outlive the network; the routers' parameters are completed by
  /// router_params().
  BufferedNetwork(const Topology& topology, const NetworkParams& params, const Routing& routing);

  const Topology& topology_;
  const Routing& routing_;
  NetworkParams params_;
  Totals totals_at_reset_;

 private:
  PortFlits flits_of(NodeId node) const;
};

}  // namespace flitcast
