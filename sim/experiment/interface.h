// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/network.h"
#include "network/router_entry.h"
#include "routing/analysis/channel_loads.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

struct NetworkPlan;

/// What every node sends on average, as far as that is known before anything runs.
struct OfferedLoad {
  double load = 0;  ///< Flits per node and cycle.
  /// Mean of each message class, in flits.
  std::vector<double> packet_lengths{1};
  TrafficShares shares;  ///< Where to; more than 1 in all where packets have several receivers.
};

/// How the packets of a workload get into the network and out of it.
class Interface {
 public:
  virtual ~Interface() = default;

  /// What cannot be with the rest of the configuration; told beside other problems.
  virtual std::vector<Problem> problems(const Configuration& configuration,
                                        const NetworkPlan& network) const = 0;
  /// The routing that the configuration names, as the interface needs it. Throws ConfigError.
  /// @param unsafe  Accept too few virtual channels for freedom from deadlock.
  virtual std::shared_ptr<Routing> routing(const Configuration& configuration,
                                           const NetworkPlan& network, bool unsafe) const = 0;
  /// What channels see of packets that are offered so.
  virtual OfferedLoad offered(OfferedLoad packets) const { return packets; }
  virtual std::unique_ptr<Network> network(const NetworkPlan& plan,
                                           const NetworkParts& parts) const = 0;
  /// Whether packets are requests, delivered when they have been answered.
  virtual bool answers() const { return false; }
  /// Follows the text of a workload: " over TLM-2.0 sockets"; empty for the usual.
  virtual std::string text() const { return ""; }
};

/// @param workload  The section that names it.
using InterfaceMaker = std::unique_ptr<Interface> (*)(const Section& workload);

struct InterfaceEntry : CatalogEntry<InterfaceMaker> {
  std::vector<FigureMeaning> figures{};  ///< That results have of it alone.
};

/// The interfaces that a user can name under workload.interface; the first is the usual one.
Catalog<InterfaceEntry>& interfaces();
/// That of the configuration; the usual one for workloads that have no choice.
std::unique_ptr<Interface> interface_of(const Configuration& configuration);
/// `keys` of a workload whose packets may take any interface, with the choice of one.
std::vector<Param> with_interfaces(std::vector<Param> keys);

}  // namespace flitcast
