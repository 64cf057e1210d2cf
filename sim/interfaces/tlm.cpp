// SPDX-License-Identifier: Apache-2.0
// Packets as transactions of TLM-2.0: a request, and a response that goes back.
#include <fmt/format.h>

#include "sim/experiment/central_control.h"
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

  std::vector<Problem> problems(const Configuration& configuration,
                                const NetworkPlan& network) const override;
  std::shared_ptr<Routing> routing(const Configuration& configuration, const NetworkPlan& network,
                                   bool) const override {
    return tlm::request_response_routing(configuration, *network.topology,
                                         network.params.router.virtual_channels);
  }
  OfferedLoad offered(OfferedLoad packets) const override;
  bool answers() const override { return true; }
  std::unique_ptr<Network> network(const NetworkPlan&, const NetworkParts& parts) const override {
    return std::make_unique<tlm::TransactionNetwork>("transactions", parts, outstanding_);
  }
  std::string text() const override { return " over TLM-2.0 sockets"; }

 private:
  const std::size_t outstanding_;
};

/// What sends no packets as transactions, before there is a routing.
std::vector<Problem> kind_problems(const Section& workload, const Configuration& configuration,
                                   const NetworkPlan& network) {
  const char* const hint = "use workload.interface: native";
  std::vector<Problem> problems;
  if (network.router->cores == nullptr || is_centrally_controlled(configuration)) {
    problems.push_back(
        workload.problem("interface", "a central control knows no requests and responses", hint));
  }
  if (!network.class_vcs.empty()) {
    problems.push_back(workload.problem(
        "interface", "transactions have message classes of their own, beside workload.classes",
        hint));
  }
  if (network.realisation != &realisations()[0]) {
    problems.push_back(workload.problem(
        "interface", fmt::format("the {} realisation has no sockets", network.realisation->name),
        fmt::format("use run.realisation: {}", realisations()[0].name)));
  }
  return problems;
}

std::vector<Problem> Sockets::problems(const Configuration& configuration,
                                       const NetworkPlan& network) const {
  const Section& workload = configuration.section("workload");
  std::vector<Problem> problems = kind_problems(workload, configuration, network);
  if (!problems.empty() || network.routing == nullptr) return problems;
  for (const std::string& problem :
       tlm::TransactionNetwork::problems(*network.topology, *network.routing, network.params)) {
    const std::size_t cut = problem.find("; ");
    problems.push_back(
        workload.problem("interface", problem.substr(0, cut),
                         cut == std::string::npos ? "use native" : problem.substr(cut + 2)));
  }
  return problems;
}

// For L flits from s to d there is a response from d to s. So that the load remains that of the
// packets, the shares are more than 1 in all.
OfferedLoad Sockets::offered(OfferedLoad packets) const {
  constexpr double kResponse = tlm::TransactionNetwork::kResponseFlits;
  const double back = kResponse / packets.packet_lengths.front();
  packets.packet_lengths.push_back(kResponse);
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
           makes<Sockets>()},
          tlm::TransactionNetwork::figure_meanings()};
}

}  // namespace flitcast
