// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "network/fabric/fabric.h"
#include "tlm/address_map.h"
#include "tlm/extensions.h"
#include "tlm/initiator_side.h"
#include "tlm/interconnect_plan.h"
#include "tlm/protocol_checker.h"
#include "tlm/target_side.h"

namespace flitcast::tlm {

/// An interconnect without its sockets, which differ only in their declared width.
class InterconnectCore : public sc_core::sc_module {
 public:
  ~InterconnectCore() override;

  std::size_t initiators() const { return params_.placement.initiators.size(); }
  std::size_t targets() const { return params_.placement.targets.size(); }
  const InterconnectParams& params() const { return params_; }
  /// The fabric after all cycles that began before the present time, and perhaps the one that
  /// begins now. Its now() counts cycles, which only occur while there is work, so it differs from
  /// the kernel's time.
  const Fabric& fabric() const;

  /// Whole cycles in a time.
  std::uint64_t cycles_in(const sc_time& time) const { return exchange_->cycles_in(time); }

  /// Decides for calls of b_transport from now on; those in the network stay there. So a platform
  /// can start without the cost of the network, and be measured with it. Transactions of one
  /// initiator may overtake its earlier ones by the change. Regions of direct memory, whose
  /// latencies may be others now, are taken back.
  void set_timing(Timing timing);

  /// Outstanding transactions.
  std::size_t outstanding() const { return ledger_->outstanding(); }
  /// One line for each outstanding transaction.
  std::string outstanding_text() const { return ledger_->outstanding_text(); }
  /// Records of transactions for which memory is allocated: the most outstanding at once.
  std::size_t most_outstanding() const { return ledger_->most_outstanding(); }

  const SideCounters& initiator(std::size_t i) const { return sides_->initiators[i]->counters(); }
  const SideCounters& target(std::size_t t) const { return sides_->targets[t]->counters(); }
  /// Adds `initiators` and `targets`, lists of the counters of every side, see side_figures(), and
  /// `network`, see write_network_figures(); since the start or since reset_figures().
  void write_figures(nlohmann::ordered_json& result) const;
  /// Begins all figures anew; transactions that are outstanding count when they are answered.
  void reset_figures();
  /// Calls `observer` at the response of every transaction from now on, in place of the observer
  /// before; csv_log() and scv_log() make some.
  void observe(TransactionObserver observer) { sides_->observer = std::move(observer); }

  /// Checks the end of a simulation, with no transaction outstanding: reports an error if a packet
  /// is in flight, a target holds a part of a transaction, or the network's audit fails.
  void audit() const;

 protected:
  /// The topology and the routing must outlive the interconnect. Reports every problem in one
  /// error, and then throws std::invalid_argument if the kernel has not thrown the report.
  /// @param routing  With Exchange::kClasses message classes; one that can deadlock is refused, as
  ///                 by a Fabric without a source.
  InterconnectCore(const sc_core::sc_module_name& name, const Topology& topology,
                   const Routing& routing, const NetworkParams& network,
                   const InterconnectParams& params);
  /// Takes ownership of the plan.
  InterconnectCore(const sc_core::sc_module_name& name,
                   const std::shared_ptr<const InterconnectPlan>& plan)
      : InterconnectCore(name, *plan->topology, *plan->routing, plan->network, plan->params) {
    plan_ = plan;
  }

  ForwardInterface& forward(std::size_t i) { return sides_->initiators[i]->entrance(); }
  BackwardInterface& backward(std::size_t t) { return sides_->targets[t]->entrance(); }
  void connect_initiator(std::size_t i, BackwardInterface& behind) {
    sides_->initiators[i]->connect(behind);
  }
  void connect_target(std::size_t t, ForwardInterface& behind) {
    sides_->targets[t]->connect(behind);
  }

 private:
  std::shared_ptr<const InterconnectPlan> plan_;  // Null if the caller owns topology and routing.
  const InterconnectParams params_;
  std::unique_ptr<AddressMap> map_;
  std::unique_ptr<Fabric> fabric_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<Sides> sides_;
  NetworkCounts reset_{};  // The counts at the last reset_figures().
};

/// Sockets of an interconnect. The index of a socket that does not exist is reported as an SC_ERROR
/// with the name of the sockets and their number. If errors do not throw, the kernel then aborts.
template <class Socket>
class Sockets : public sc_core::sc_vector<Socket> {
 public:
  using sc_core::sc_vector<Socket>::sc_vector;
  Socket& operator[](std::size_t i) { return this->at(i); }
  const Socket& operator[](std::size_t i) const { return this->at(i); }
};

/// A network with TLM-2.0 sockets: initiators and targets of the base protocol, loosely or
/// approximately timed, communicate through it as through any bus, with its latencies and
/// contention.
///
///   initiator --> target_socket[i] --> NI --> node ~~~ network ~~~ node --> NI -->
///                                                                initiator_socket[t] --> target
///
/// Every request and every response is a packet of its real length (PacketFormat). A transaction
/// takes the cycles of both packets in the network, which are the same as for such packets from any
/// other source, plus the target's time; see the manual's guide/tlm.md.
template <unsigned int kBusWidth = 32>
class Interconnect : public InterconnectCore {
 public:
  Sockets<::tlm::tlm_target_socket<kBusWidth>> target_socket{
      "target_socket"};  ///< The socket to which initiators are bound.
  Sockets<::tlm::tlm_initiator_socket<kBusWidth>> initiator_socket{
      "initiator_socket"};  ///< The socket to which targets are bound.

  Interconnect(const sc_core::sc_module_name& name, const Topology& topology,
               const Routing& routing, const NetworkParams& network,
               const InterconnectParams& params)
      : InterconnectCore(name, topology, routing, network, params) {
    make_sockets();
  }

  /// Loads an interconnect from a YAML file; throws ConfigError with every problem of it.
  /// @param overrides  See read_interconnect() and overrides_for().
  Interconnect(const sc_core::sc_module_name& name, const std::string& path,
               const std::vector<std::string>& overrides = {})
      : InterconnectCore(
            name, std::make_shared<const InterconnectPlan>(read_interconnect(path, overrides))) {
    make_sockets();
  }

 protected:
  void end_of_elaboration() override {
    for (std::size_t i = 0; i < initiators(); ++i) {
      connect_initiator(i, *target_socket[i].operator->());
    }
    for (std::size_t t = 0; t < targets(); ++t) {
      connect_target(t, *initiator_socket[t].operator->());
    }
  }

 private:
  void make_sockets() {
    target_socket.init(initiators());
    initiator_socket.init(targets());
    for (std::size_t i = 0; i < initiators(); ++i) target_socket[i].bind(forward(i));
    for (std::size_t t = 0; t < targets(); ++t) initiator_socket[t].bind(backward(t));
  }
};

}  // namespace flitcast::tlm
