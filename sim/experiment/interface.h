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

namespace flitcast {

/// The mean load of every node, as far as it is known before anything runs.
struct OfferedLoad {
  double load = 0;  ///< Flits per node and cycle.
  /// Mean length of each message class, in flits.
  std::vector<double> packet_lengths{1};
  TrafficShares
      shares;  ///< By destination; their sum is above 1 where packets have several receivers.
};

/// How the packets of a workload get into the network and out of it.
class Interface {
 public:
  virtual ~Interface() = default;

  /// Changes what the network can do, and its parameters, once the workload has changed them.
  virtual void adapt(NetworkPlan& network) const { static_cast<void>(network); }
  /// The routing that the configuration names, as the interface needs it. Throws ConfigError.
  /// @param unsafe  Accept too few virtual channels for freedom from deadlock.
  virtual std::shared_ptr<Routing> routing(const Configuration& configuration,
                                           const NetworkPlan& network, bool unsafe) const = 0;
  /// The load of the network's channels when the workload offers these packets.
  virtual OfferedLoad offered(OfferedLoad packets) const { return packets; }
  virtual std::unique_ptr<Network> network(const NetworkPlan& plan,
                                           const NetworkParts& parts) const = 0;
  /// Follows the text of a workload: " over TLM-2.0 sockets"; may be empty.
  virtual std::string text() const { return ""; }
};

/// @param workload  The section that names the interface.
using InterfaceMaker = std::unique_ptr<Interface> (*)(const Section& workload);

struct InterfaceEntry : CatalogEntry<InterfaceMaker> {
  std::vector<FigureMeaning> figures{};  ///< Only results with this interface have them.
};

/// The interfaces that a user can name under workload.interface; the first is the default.
Catalog<InterfaceEntry>& interfaces();
/// The one that the configuration names; the default for workloads that have no choice.
const InterfaceEntry& interface_entry(const Configuration& configuration);
/// `keys` of a workload whose packets may take any interface, with the choice of one.
std::vector<Param> with_interfaces(std::vector<Param> keys);

}  // namespace flitcast
