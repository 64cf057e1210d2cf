// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "tlm/agenda.h"
#include "tlm/payloads.h"

namespace flitcast::testing {

using Payload = ::tlm::tlm_generic_payload;

/// The method by which an initiator of nb_transport ends a response.
enum class EndStyle { kCall, kUpdated, kCompleted };

/// Sends payloads by nb_transport as fast as the request channel takes them.
class AtInitiator : public sc_core::sc_module, public ::tlm::tlm_bw_transport_if<> {
 public:
  struct Answer {
    Payload* payload = nullptr;
    sc_core::sc_time begun{};
    sc_core::sc_time accepted{};  ///< The time of END_REQ.
    sc_core::sc_time answered{};  ///< The time of BEGIN_RESP.
    std::uint64_t address = 0;    ///< The address at BEGIN_RESP.
  };

  AtInitiator(const sc_core::sc_module_name& name, EndStyle style,
              sc_core::sc_time end_delay = sc_core::SC_ZERO_TIME);

  ::tlm::tlm_initiator_socket<> socket{"socket"};

  /// Queues a payload with the annotated delay `delay`.
  void send(Payload& payload, sc_core::sc_time delay = sc_core::SC_ZERO_TIME);

  std::vector<Answer> answers;  ///< In order of arrival.
  /// Called at the end of every transaction; may call send().
  std::function<void(Payload&)> ended = [](Payload&) {};
  std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> invalidated;
  std::vector<unsigned> ignorable_phases;

  ::tlm::tlm_sync_enum nb_transport_bw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    invalidated.emplace_back(start, end);
  }

 private:
  struct Waiting {
    Payload* payload;
    sc_core::sc_time delay;
  };
  struct Due {
    Payload* payload = nullptr;
    bool by_call = false;
  };

  void next();
  void begin();
  void end();

  const EndStyle style_;
  const sc_core::sc_time end_delay_;
  std::deque<Waiting> waiting_;
  Payload* request_ = nullptr;
  std::unordered_map<const Payload*, Answer> open_;
  sc_core::sc_event go_{"go"};
  flitcast::tlm::Agenda<Due> agenda_{"agenda"};
};

/// Runs a function in a thread, for calls of b_transport.
class LtInitiator : public sc_core::sc_module, public ::tlm::tlm_bw_transport_if<> {
 public:
  LtInitiator(const sc_core::sc_module_name& name, std::function<void(LtInitiator&)> body);

  ::tlm::tlm_initiator_socket<> socket{"socket"};
  std::vector<std::pair<sc_dt::uint64, sc_dt::uint64>> invalidated;
  bool done = false;

  /// Sends a command for `data` and returns its status.
  ::tlm::tlm_response_status access(::tlm::tlm_command command, std::uint64_t address,
                                    std::vector<unsigned char>& data);
  ::tlm::tlm_response_status write(std::uint64_t address, std::vector<unsigned char> data) {
    return access(::tlm::TLM_WRITE_COMMAND, address, data);
  }
  std::vector<unsigned char> read(std::uint64_t address, unsigned bytes) {
    std::vector<unsigned char> data(bytes, 0);
    access(::tlm::TLM_READ_COMMAND, address, data);
    return data;
  }

  ::tlm::tlm_sync_enum nb_transport_bw(Payload&, ::tlm::tlm_phase&, sc_core::sc_time&) override {
    return ::tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    invalidated.emplace_back(start, end);
  }

 private:
  void run();
  const std::function<void(LtInitiator&)> body_;
};

/// The method by which a target of nb_transport answers BEGIN_REQ.
enum class PhaseStyle { kCompleted, kUpdatedToResponse, kTwoPhases, kThreePhases, kFourPhases };

/// A memory with both transports that supports byte enables and streaming widths.
class Memory : public sc_core::sc_module, public ::tlm::tlm_fw_transport_if<> {
 public:
  struct Access {
    Payload* payload;
    ::tlm::tlm_command command;
    std::uint64_t address;
    unsigned bytes;
    sc_core::sc_time at;
  };

  Memory(const sc_core::sc_module_name& name, std::size_t bytes, PhaseStyle style,
         sc_core::sc_time latency = sc_core::SC_ZERO_TIME);

  ::tlm::tlm_target_socket<> socket{"socket"};
  std::vector<unsigned char> bytes;
  std::vector<Access> accesses;  ///< Requests in order of arrival.
  bool silent = false;           ///< True: the memory never answers.
  bool dmi = false;              ///< True: the memory grants direct access to all of it.
  unsigned longest = ~0U;        ///< Longer accesses get TLM_BURST_ERROR_RESPONSE.
  std::vector<unsigned> ignorable_phases;

  ::tlm::tlm_sync_enum nb_transport_fw(Payload& payload, ::tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) override;
  unsigned int transport_dbg(Payload& payload) override;

 private:
  struct Due {
    Payload* payload = nullptr;
    bool response = false;
  };

  void note(Payload& payload);
  void operate(Payload& payload);
  void act();
  ::tlm::tlm_sync_enum begin_request(Payload& payload, ::tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  const PhaseStyle style_;
  const sc_core::sc_time latency_;
  bool responding_ = false;
  std::deque<Payload*> responses_;
  flitcast::tlm::Agenda<Due> agenda_{"agenda"};
};

}  // namespace flitcast::testing
