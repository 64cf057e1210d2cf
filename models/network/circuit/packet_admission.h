// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/destination_groups.h"
#include "base/figures.h"
#include "clos/multistage_admission.h"
#include "network/circuit/output_claims.h"
#include "network/network_params.h"
#include "routing/routing.h"
#include "topology/clos.h"

namespace flitcast {

/// Central control of a Clos network that carries packets: a packet enters when all links that it
/// needs are reserved for it, and its copies branch at the switches that its strategy chose.
///
/// A packet's destination is a group. At the front of its source queue the packet claims all of its
/// outputs; once it owns them its request is valid, and the strategy finds middle switches, where
/// the links occupied by packets in flight define the sets M_j. Links and outputs are held to the
/// end of the cycle in which the last copy arrives, so their next owner does not depend on the
/// order of nodes within a cycle. A waiting packet holds no link, and holds outputs only against
/// younger claims, so packets cannot deadlock, with synchronous or asynchronous copies and one
/// virtual channel; with outputs claimed one by one, packets could deadlock. The lectures do not
/// define the behaviour with fewer middle switches than the strategy needs: here a packet that
/// finds no path asks again whenever another packet has arrived.
///
/// The decision takes no extra time: it is the route computation of the input switch. An unloaded
/// packet of L flits arrives at all of its receivers 3 t_r + L + 1 cycles after its creation, with
/// t_r = hop_cycles(), and 3 (t_r + L) + 1 cycles under store-and-forward with
/// NetworkParams::stored_injection; over five stages 5 replaces 3.
class PacketAdmission : public Routing, public Admission {
 public:
  /// Counters of admitted packets.
  struct Totals {
    std::uint64_t admitted = 0;
    std::uint64_t waited_for_outputs = 0;  ///< Packets that found an output occupied.
    std::uint64_t waited_for_path = 0;     ///< Packets blocked by the middle stage at least once.
    std::uint64_t most_passes = 0;  ///< The largest number of passes of any request at any level.
  };

  /// `topology` and `groups` must outlive the control.
  /// @param params  One entry for each level; empty: the defaults.
  PacketAdmission(const Clos& topology, const DestinationGroups& groups,
                  const clos::StrategyFactory& make_strategy,
                  const std::vector<clos::AdmissionParams>& params, std::size_t virtual_channels);

  const Totals& totals() const { return totals_; }
  /// The state of the control: the current connections.
  const clos::MultistageAdmission& control() const { return control_; }

  bool multicast() const override { return true; }
  void branches(const RouteRequest& request, Branches& branches) const override;
  /// Returns the first branch only; routers call branches() for the packets of this routing.
  Route route(const RouteRequest& request) const override;
  VcSet injection_vcs(NodeId, NodeId) const override { return vcs_; }

  /// Throws InvariantError for an unknown group, and for a packet whose number of receivers is not
  /// the size of its group.
  bool admit(const Packet& packet) override;
  /// Throws InvariantError for a node without a packet in flight to it.
  void arrived(const Delivery& delivery) override;
  void end_cycle(std::vector<NodeId>& ask_again) override;

 private:
  /// The state of the packet at the front of a node's queue.
  struct Sender {
    enum class State { kIdle, kWaiting, kConnected, kEntered };
    State state = State::kIdle;
    NodeId group{};
    std::size_t to_arrive = 0;  ///< Copies in flight, after the packet has entered.
  };

  const std::vector<NodeId>& receivers(const Packet& packet) const;
  void claim_outputs(const Packet& packet);
  bool connect(NodeId source);
  void release(NodeId source);
  void connect_pathless(std::size_t blocked, std::vector<NodeId>& ask_again);
  void set_switches(NodeId source, bool on);

  const Clos& topology_;
  const DestinationGroups& groups_;
  const VcSet vcs_;
  clos::MultistageAdmission control_;
  OutputClaims claims_;
  std::vector<Sender> senders_;
  // Per router and input: the outputs that the input drives.
  std::vector<std::vector<std::vector<PortId>>> settings_;
  std::vector<NodeId> pathless_;  // Sources that own their outputs but are blocked, oldest first.
  std::vector<NodeId> ended_;     // Sources whose last copies arrived in this cycle.
  std::vector<clos::OutputId> outputs_;
  Totals totals_;
};

const FigureTable<PacketAdmission>& control_figures();

}  // namespace flitcast
