// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <tlm>
#include <tuple>
#include <unordered_map>

#include "tlm/protocol_rules.h"

namespace flitcast::tlm {

/// Checks every call between one initiator and one target and forwards it unchanged, at once.
///
/// A broken Rule is reported as an error of the module; if the kernel does not throw it, the call
/// continues. A transaction costs a map entry while it is in progress. No rule depends on the
/// coding style: one link may carry both kinds of transport.
class LinkChecker : public ForwardInterface, public BackwardInterface {
 public:
  /// @param module  Reports carry its name.
  explicit LinkChecker(std::string module) : module_(std::move(module)) {}

  /// Both functions are called before the first call; their arguments must outlive the checker.
  void connect_target(ForwardInterface& target) { target_ = &target; }
  void connect_initiator(BackwardInterface& initiator) { initiator_ = &initiator; }

  /// Outstanding transactions.
  std::size_t in_progress() const { return open_.size(); }
  /// Completed transactions.
  std::uint64_t completed() const { return completed_; }

  tlm_sync_enum nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) override;
  tlm_sync_enum nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) override;
  void b_transport(Payload& payload, sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
  unsigned int transport_dbg(Payload& payload) override;

 private:
  enum class Path { kForward, kBackward };

  /// The attributes that the initiator has set, and the progress of the transaction.
  struct Progress {
    ::tlm::tlm_command command;
    unsigned char* data;
    unsigned length;
    unsigned char* enables;
    unsigned enable_length;
    unsigned streaming_width;
    sc_dt::uint64 address;  ///< For messages; components between may change it.
    tlm_phase phase{};      ///< The last phase; unset for b_transport.
    sc_time effective{};    ///< The time at which the last phase takes effect.

    /// The attributes that stay as they are until the transaction has ended.
    auto immutable() const {
      return std::tie(command, data, length, enables, enable_length, streaming_width);
    }
  };

  static Progress begin(const Payload& payload, const tlm_phase& phase = {},
                        const sc_time& delay = {});
  void check_new(const Payload& payload);
  void check_fields(const Payload& payload, const Progress& progress);
  void check_life(const Payload& payload) {
    if (payload.get_ref_count() < 1) {
      violated(Rule::kPayloadLife, tlm::to_text(payload) + " has a reference count of 0");
    }
  }
  void check_answered(const Payload& payload) {
    if (payload.get_response_status() == ::tlm::TLM_INCOMPLETE_RESPONSE) {
      violated(Rule::kResponseStatus, tlm::to_text(payload) + " is answered without a status");
    }
  }
  void check_return(Path path, const tlm_phase& sent, const tlm_phase& returned,
                    tlm_sync_enum status, const sc_time& sent_delay, const sc_time& delay,
                    const Progress& progress);

  void begin_request(Payload& payload, const sc_time& delay);
  void advance(Payload& payload, const tlm_phase& phase, const sc_time& delay);
  void end_request(const Payload& payload) {
    if (request_ == &payload) request_ = nullptr;
  }
  void complete(Path path, Payload& payload, const sc_time& delay);
  void finish(const Payload& payload);
  template <class Call>
  tlm_sync_enum watch(Path path, Payload& payload, tlm_phase& phase, sc_time& delay, Call&& call);
  void check_time(const Progress& progress, const sc_time& effective);
  void violated(Rule rule, const std::string& seen) const {
    report_violation(module_.c_str(), rule, seen);
  }
  static std::string to_text(const Progress& progress) {
    return tlm::to_text(progress.command, progress.address, progress.length);
  }

  const std::string module_;
  ForwardInterface* target_ = nullptr;
  BackwardInterface* initiator_ = nullptr;
  std::unordered_map<const Payload*, Progress> open_;
  const Payload* request_ = nullptr;   // The payload whose request has yet to end.
  const Payload* response_ = nullptr;  // The payload whose response has yet to end.
  std::uint64_t completed_ = 0;
};

/// A module between any initiator and any target that checks their use of the base protocol.
///
///   initiator.socket --> target_socket [ ProtocolChecker ] initiator_socket --> target.socket
template <unsigned int kBusWidth = 32>
class ProtocolChecker : public sc_core::sc_module {
 public:
  /// The socket for the initiator.
  ::tlm::tlm_target_socket<kBusWidth> target_socket{"target_socket"};
  /// The socket for the target.
  ::tlm::tlm_initiator_socket<kBusWidth> initiator_socket{"initiator_socket"};

  explicit ProtocolChecker(const sc_core::sc_module_name& module_name)
      : sc_module(module_name), link_(name()) {
    target_socket.bind(link_);
    initiator_socket.bind(link_);
  }

  const LinkChecker& link() const { return link_; }

 protected:
  void end_of_elaboration() override {
    link_.connect_target(*initiator_socket.operator->());
    link_.connect_initiator(*target_socket.operator->());
  }

 private:
  LinkChecker link_;
};

}  // namespace flitcast::tlm
