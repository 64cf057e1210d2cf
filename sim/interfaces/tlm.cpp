// SPDX-License-Identifier: Apache-2.0
// Packets become TLM-2.0 transactions: a request and its response.
#include "base/sequences.h"
#include "sim/experiment/interface.h"
#include "sim/experiment/workload.h"
#include "tlm/interconnect_plan.h"
#include "tlm/transaction_network.h"

namespace flitcast {
namespace {

constexpr int kDefaultOutstanding = 16;

class Sockets : public Interface {
 public:
  explicit Sockets(const Section& workload) : outstanding_(workload.count("outstanding")) {}

  // Packets wait for their responses, which have one flit each.
  void adapt(NetworkPlan& network) const override {
    network.params.router.shortest_packet = tlm::TransactionNetwork::kResponseFlits;
    network.can.has_known_latency = false;
  }
  std::shared_ptr<Routing> routing(const Configuration& configuration, const NetworkPlan& network,
                                   bool) const override {
    return tlm::request_response_routing(configuration, *network.topology,
                                         network.params.router.virtual_channels);
  }
  OfferedLoad offered(OfferedLoad packets) const override;
  std::unique_ptr<Network> network(const NetworkPlan&, const NetworkParts& parts) const override {
    return std::make_unique<tlm::TransactionNetwork>("transactions", parts, outstanding_);
  }
  std::string text() const override { return " over TLM-2.0 sockets"; }

 private:
  const std::size_t outstanding_;
};

// A network without a routing has a problem that is reported elsewhere.
void fit_sockets(const FitContext& context) {
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    context.refuse("workload", "interface", what, hint);
  };
  const char* const native = "use workload.interface: native";
  const Implementation& implementation = implementation_of(context.configuration);
  if (!context.can.has_classes) {
    return refuse("a central control knows no requests and responses", native);
  }
  if (!context.params.message_classes.empty()) {
    refuse("transactions have message classes of their own, beside workload.classes", native);
  }
  if (!implementation.takes_sockets) {
    return refuse("the " + implementation.name + " implementation has no sockets",
                  "use " + implementation.instead);
  }
  if (context.routing == nullptr || !context.params.message_classes.empty()) return;
  for (const Problem& problem :
       tlm::TransactionNetwork::problems(context.topology, *context.routing, context.params)) {
    refuse(problem.what, problem.hint.empty() ? "use native" : problem.hint);
  }
}

// For every packet of L flits from s to d there is a response from d to s. The load is still that
// of the requests, so the shares add up to more than 1.
OfferedLoad Sockets::offered(OfferedLoad packets) const {
  constexpr double kResponse = tlm::TransactionNetwork::kResponseFlits;
  const double back = kResponse / packets.packet_lengths.front();
  packets.packet_lengths.push_back(kResponse);
  packets.packet_rates[tlm::TransactionNetwork::kResponseFlits] +=
      sum_of<double>(packets.packet_rates, [](const auto& one) { return one.second; });
  packets.shares = [back, there = std::move(packets.shares)](
                       NodeId source, NodeId destination) -> std::optional<double> {
    const auto request = there(source, destination);
    const auto response = there(destination, source);
    if (!request || !response) return std::nullopt;
    return *request + back * *response;
  };
  return packets;
}

}  // namespace

InterfaceEntry tlm_interface() {
  return {{"tlm",
           "Packets become transactions through TLM-2.0 sockets: requests and their responses.",
           {Param::integer("outstanding", "transactions",
                           "Transactions that a node may have outstanding; further packets wait.",
                           1, 65536)
                .defaults_to(kDefaultOutstanding)},
           makes<Sockets>(),
           {},
           fit_sockets},
          tlm::TransactionNetwork::figure_meanings()};
}

}  // namespace flitcast
