// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/network.h"
#include "network/network_plan.h"
#include "network/router_entry.h"
#include "routing/analysis/channel_loads.h"
#include "routing/routing.h"
#include "topology/topology.h"
#include "traffic/load.h"

namespace flitcast {

/// The mean load of every node, as far as it is known before the run.
struct OfferedLoad {
  double load = 0;  ///< Flits per node and cycle.
  /// Mean length of each message class, in flits.
  std::vector<double> packet_lengths{1};
  TrafficShares shares;  ///< By destination; the sum is above 1 if packets have several receivers.
  PacketRates packet_rates{};  ///< The mean of all nodes; empty if not known.
  double burst_cycle = 0;      ///< The largest RandomSource::burst_cycle() of all sources.
};

/// How the packets of a workload enter and leave the network.
class Interface {
 public:
  virtual ~Interface() = default;

  /// Changes the capabilities and the parameters of the network, after the workload has changed
  /// them.
  virtual void adapt(NetworkPlan& network) const { static_cast<void>(network); }
  /// The configured routing, adapted to the interface. Throws ConfigError.
  /// @param unsafe  Accept fewer virtual channels than freedom from deadlock requires.
  virtual std::shared_ptr<Routing> routing(const Configuration& configuration,
                                           const NetworkPlan& network, bool unsafe) const = 0;
  /// The load on the network's channels when the workload offers these packets.
  virtual OfferedLoad offered(OfferedLoad packets) const { return packets; }
  virtual std::unique_ptr<Network> network(const NetworkPlan& plan,
                                           const NetworkParts& parts) const = 0;
  /// Text that follows the description of a workload, such as " over TLM-2.0 sockets"; may be
  /// empty.
  virtual std::string text() const { return ""; }
};

/// @param workload  The section that names the interface.
using InterfaceMaker = std::unique_ptr<Interface> (*)(const Section& workload);

struct InterfaceEntry : CatalogEntry<InterfaceMaker> {
  std::vector<FigureMeaning>
      figures{};  ///< The figures that only results with this interface have.
};

/// The interfaces that can be named under workload.interface; the first is the default.
Catalog<InterfaceEntry>& interfaces();
/// The configured interface; the default for workloads that offer no choice.
const InterfaceEntry& interface_entry(const Configuration& configuration);
/// Returns `keys` with the key that selects an interface, for workloads whose packets may take any.
std::vector<Param> with_interfaces(const std::vector<Param>& keys);

}  // namespace flitcast
