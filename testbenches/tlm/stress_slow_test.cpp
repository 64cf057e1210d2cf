// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric.h"
#include "network/sources.h"
#include "support/fresh_kernel.h"
#include "tlm/stress.h"

using namespace flitcast::testing;

namespace {

/// The processor time per packet in the same network without TLM. The packets have the average
/// length of those of the transactions, random sources and destinations, and an average distance of
/// `gap` cycles at each node.
double seconds_per_packet(double gap) {
  constexpr unsigned kPackets = 4000;  // Packets of every node.
  const auto longest_gap = static_cast<unsigned>(2 * gap) - 1;
  const flitcast::RoutedNetwork network = mesh_network({8, 8});
  flitcast::FiniteTraffic source(kNodes, {kPackets, 4, longest_gap});
  flitcast::Fabric fabric("fabric", *network.topology, *network.routing, source, network_params());
  const std::clock_t begin = std::clock();
  while (fabric.totals().packets_delivered < std::uint64_t{kPackets} * kNodes) fabric.run(100);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kPackets / kNodes;
}

}  // namespace

TEST_CASE("a million transactions keep data, order and memory", "[tlm]") {
  constexpr std::uint64_t kTransactions = 1'000'000;
  const StressOutcome outcome = run_transactions(kTransactions, false);
  CHECK(outcome.wrong == 0);
  CHECK_FALSE(outcome.stood_still);
  CHECK(outcome.held == 0);
  CHECK(outcome.records <= outcome.early_records + 64);
  install_fresh_kernel();
  // Two packets for each transaction.
  const double gap = static_cast<double>(outcome.cycles) * kNodes / (2.0 * kTransactions);
  const double packet = seconds_per_packet(gap);
  const double transaction = outcome.processor_seconds / kTransactions;
  // The times are reported but not checked, because they depend on the machine.
  WARN(1 / transaction << " transactions and " << 1 / packet
                       << " packets a second, a packet of every node in " << gap << " cycles");
}
