// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/figures.h"
#include "network/fabric/calendar_queue.h"
#include "network/fabric/deliveries.h"
#include "network/fabric/packet_maker.h"
#include "network/network.h"
#include "network/router_entry.h"
#include "tlm/interconnect.h"

namespace flitcast::tlm {

/// A network whose nodes send their packets as transactions through TLM-2.0 sockets, so that the
/// results include the cost of the protocol.
///
///   PacketSource --> initiator of a node --> target_socket[n] --> request --> target of a node
///                              Probe <------------------------- response <----'
///
/// Every node has an initiator and a target, approximately timed. A packet of L flits becomes a
/// write whose request has L flits, one of them its header, and whose response is only a header. A
/// packet of one flit has no space for data: it is a transaction with the ignore command. The
/// target answers at once.
///
/// For the source a packet has arrived when its request has; for probes and totals it is delivered
/// when its initiator has the response, so latencies are those of transactions. A packet is
/// injected when its request has ended (END_REQ). Flits are those of requests and responses. Cycles
/// count simulated time. Probes see one partition, whatever the number of threads.
class TransactionNetwork : public sc_core::sc_module, public Network {
 public:
  /// Length of a response in flits.
  static constexpr std::uint32_t kResponseFlits = 1;

  /// The reasons why such a network cannot be built; see Interconnect.
  static std::vector<Problem> problems(const Topology& topology, const Routing& routing,
                                       const NetworkParams& params);

  /// The objects that `parts` refers to must outlive the network.
  /// Throws std::invalid_argument if problems() finds any.
  /// @param outstanding  InitiatorLimits::outstanding of every node.
  TransactionNetwork(const sc_core::sc_module_name& name, const NetworkParts& parts,
                     std::size_t outstanding);
  ~TransactionNetwork() override;

  void run(std::uint64_t cycles) override;
  Cycle now() const override { return now_; }
  void wake(NodeId node, Cycle cycle) override { calendar_.bring_forward(index(node), cycle); }
  Totals totals() const override;
  std::uint64_t flit_hops() const override { return fabric().flit_hops(); }
  std::uint64_t flits_from(Endpoint output) const override { return fabric().flits_from(output); }
  Cycle busy_until(Endpoint output) const override;
  std::uint64_t flits_created(NodeId node) const override { return created_[index(node)]; }
  std::uint64_t flits_injected(NodeId node) const override { return fabric().flits_injected(node); }
  std::uint64_t flits_injected(NodeId node, std::size_t port) const override {
    return fabric().flits_injected(node, port);
  }
  std::uint64_t flits_ejected(NodeId node) const override { return fabric().flits_ejected(node); }
  /// Visits the request or the response of each transaction, whichever is still to arrive.
  void for_each_packet(const std::function<void(const Packet&)>& visit) const override;
  void write_figures(nlohmann::ordered_json& result) const override;
  std::unique_ptr<const Inspection> inspection() const override;
  void audit() const override;
  std::vector<BlockedVc> find_deadlock() const override { return fabric().find_deadlock(); }
  std::uint64_t longest_standstill() const override { return fabric().longest_standstill(); }

  /// Explains the figures that write_figures() adds to the figures of the fabric.
  static std::vector<FigureMeaning> figure_meanings();

  const InterconnectCore& interconnect() const { return *net_; }

 private:
  class Node;
  class Write;
  class WritePool;
  struct Counts;

  const Fabric& fabric() const { return net_->fabric(); }
  static const FigureTable<Counts>& figures();
  Cycle cycle() const;
  void on_cycle();
  void create(NodeId node, Cycle now);
  void begin_requests();
  void request_ended(NodeId node);
  void request_arrived(Write& write);
  void response_arrived(Write& write);

  const Topology& topology_;
  PacketSource& source_;
  Probe* const probe_;
  const PacketMaker maker_;
  std::unique_ptr<Interconnect<>> net_;
  std::unique_ptr<WritePool> writes_;
  std::vector<std::unique_ptr<Node>> nodes_;
  CalendarQueue calendar_;
  std::vector<Delivery> arrived_;  // Requests of which the source has not been told.
  Deliveries deliveries_;
  std::vector<PacketRequest> requests_;
  std::vector<NodeId> ready_;  // Nodes whose next request may begin.
  sc_core::sc_event ready_event_{"ready"};
  std::vector<std::uint64_t> created_;  // Created flits of requests and responses, indexed by node.
  std::unique_ptr<Counts> counts_;
  Totals totals_;
  Cycle now_{};
};

}  // namespace flitcast::tlm
