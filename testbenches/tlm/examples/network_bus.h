// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <tlm>

#include "routing/dimension_order.h"
#include "routing/message_classes.h"
#include "tlm/interconnect.h"
#include "topology/grid.h"

namespace flitcast::testing {

/// Forwards every call; records the payloads and the number of responses.
class PayloadWatch : public sc_core::sc_module,
                     public ::tlm::tlm_fw_transport_if<>,
                     public ::tlm::tlm_bw_transport_if<> {
 public:
  using Payload = ::tlm::tlm_generic_payload;

  explicit PayloadWatch(const sc_core::sc_module_name& name) : sc_module(name) {
    target_socket.bind(*this);
    initiator_socket.bind(*this);
  }

  ::tlm::tlm_target_socket<> target_socket{"target_socket"};
  ::tlm::tlm_initiator_socket<> initiator_socket{"initiator_socket"};
  std::set<const Payload*> payloads;
  std::uint64_t requests = 0;
  std::uint64_t answers = 0;

  /// The number of payloads with a memory manager that have not been released.
  std::size_t held() const {
    std::size_t held = 0;
    for (const Payload* payload : payloads) held += payload->get_ref_count() != 0 ? 1 : 0;
    return held;
  }

  ::tlm::tlm_sync_enum nb_transport_fw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
    if (phase == ::tlm::BEGIN_REQ) begin(payload);
    return initiator_socket->nb_transport_fw(payload, phase, delay);
  }
  ::tlm::tlm_sync_enum nb_transport_bw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
    if (phase == ::tlm::BEGIN_RESP) ++answers;
    return target_socket->nb_transport_bw(payload, phase, delay);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    begin(payload);
    initiator_socket->b_transport(payload, delay);
    ++answers;
  }
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) override {
    return initiator_socket->get_direct_mem_ptr(payload, region);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    target_socket->invalidate_direct_mem_ptr(start, end);
  }
  unsigned int transport_dbg(Payload& payload) override {
    return initiator_socket->transport_dbg(payload);
  }

 private:
  void begin(const Payload& payload) {
    ++requests;
    payloads.insert(&payload);
  }
};

/// Replaces a bus of the SystemC examples by a 3x3 mesh with checkers at every socket: target i has
/// 256 MiB from i << 28 on.
///
/// The examples run until there are no more events. A bus without activity for kQuiet ends the
/// simulation; then everything is audited and reported in one line.
template <int kInitiators, int kTargets>
class NetworkBus : public sc_core::sc_module {
  struct TargetSockets {
    sc_core::sc_vector<PayloadWatch> watches{"watch", kInitiators};
    auto& operator[](std::size_t i) { return watches[i].target_socket; }
  };

  // Declared before the sockets that refer to it.
  const Grid grid_ = mesh({3, 3});
  const MessageClasses routing_{
      std::make_unique<DimensionOrder>(grid_,
                                       DimensionOrder::Params{false, true, VcClasses::kNone, 2}),
      2, 4};
  flitcast::tlm::Interconnect<> net_{"net", grid_, routing_, NetworkParams{}, params()};

 public:
  TargetSockets target_socket;
  sc_core::sc_vector<::tlm::tlm_initiator_socket<>>& initiator_socket;

  explicit NetworkBus(const sc_core::sc_module_name& name)
      : sc_module(name), initiator_socket(net_.initiator_socket) {
    for (int i = 0; i < kInitiators; ++i) {
      target_socket.watches[i].initiator_socket.bind(net_.target_socket[i]);
    }
    SC_HAS_PROCESS(NetworkBus);
    SC_THREAD(stop_when_quiet);
  }

 private:
  static flitcast::tlm::InterconnectParams params() {
    flitcast::tlm::InterconnectParams params;
    for (std::uint32_t i = 0; i < kInitiators; ++i) {
      params.placement.initiators.push_back(NodeId{i});
    }
    for (std::uint32_t t = 0; t < kTargets; ++t) {
      params.placement.targets.push_back(NodeId{8 - t});
      params.windows.push_back({std::uint64_t{t} << 28, std::uint64_t{1} << 28, t, 0});
    }
    params.limits.forward_dmi = std::getenv("FORWARD_DMI") != nullptr;
    params.check_protocol = true;
    return params;
  }

  std::uint64_t requests() const {
    std::uint64_t requests = 0;
    for (const PayloadWatch& watch : target_socket.watches) requests += watch.requests;
    return requests;
  }

  void stop_when_quiet() {
    const sc_core::sc_time quiet(5, sc_core::SC_US);
    std::uint64_t seen = 0;
    do {
      seen = requests();
      wait(quiet);
    } while (seen != requests() || net_.outstanding() != 0);
    sc_core::sc_stop();
  }

  void end_of_simulation() override {
    net_.audit();
    std::uint64_t answers = 0;
    std::size_t held = 0;
    std::uint64_t granted = 0;
    for (int i = 0; i < kInitiators; ++i) {
      answers += target_socket.watches[i].answers;
      held += target_socket.watches[i].held();
      granted += net_.initiator(i).dmi_granted;
    }
    std::cout << "network: " << requests() << " requests, " << requests() - answers
              << " unanswered, " << net_.outstanding() << " outstanding, " << held
              << " payloads held, " << granted << " regions granted" << std::endl;
  }
};

}  // namespace flitcast::testing
