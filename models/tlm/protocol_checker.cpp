// SPDX-License-Identifier: Apache-2.0
#include "tlm/protocol_checker.h"

#include <fmt/format.h>

namespace flitcast::tlm {

using sc_core::sc_time_stamp;
namespace {

bool is_ignorable(const tlm_phase& phase) {
  return phase < ::tlm::BEGIN_REQ || phase > ::tlm::END_RESP;
}

/// Phases that the standard allows after `phase`, END_REQ being optional.
bool follows(const tlm_phase& next, const tlm_phase& phase) {
  return next == phase + 1 || (phase == ::tlm::BEGIN_REQ && next == ::tlm::BEGIN_RESP);
}

}  // namespace

LinkChecker::Progress LinkChecker::begin(const Payload& payload, const tlm_phase& phase,
                                         const sc_time& delay) {
  return {payload.get_command(),
          payload.get_data_ptr(),
          payload.get_data_length(),
          payload.get_byte_enable_ptr(),
          payload.get_byte_enable_length(),
          payload.get_streaming_width(),
          payload.get_address(),
          phase,
          sc_time_stamp() + delay};
}

void LinkChecker::check_new(const Payload& payload) {
  const bool moves_data = payload.is_read() || payload.is_write();
  const bool enables = payload.get_byte_enable_ptr() != nullptr;
  if (open_.count(&payload) != 0) {
    violated(Rule::kPayloadLife, tlm::to_text(payload) + " begins while its payload is in use");
  }
  if ((moves_data && payload.get_data_length() != 0 && payload.get_data_ptr() == nullptr) ||
      payload.get_streaming_width() == 0 || (enables && payload.get_byte_enable_length() == 0)) {
    violated(Rule::kAttributes,
             fmt::format("{} with {} data pointer, streaming width {}, byte enable length {}",
                         tlm::to_text(payload), payload.get_data_ptr() == nullptr ? "no" : "a",
                         payload.get_streaming_width(), payload.get_byte_enable_length()));
  }
  if (payload.get_response_status() != ::tlm::TLM_INCOMPLETE_RESPONSE) {
    violated(Rule::kResponseStatus,
             tlm::to_text(payload) + " begins with " + payload.get_response_string());
  }
  if (payload.is_dmi_allowed()) {
    violated(Rule::kDmiHint, tlm::to_text(payload) + " begins with the hint set");
  }
}

void LinkChecker::check_fields(const Payload& payload, const Progress& progress) {
  const Progress now = begin(payload);
  if (now.immutable() != progress.immutable()) {
    violated(Rule::kImmutableFields, to_text(progress) + " has become " + tlm::to_text(payload) +
                                         " or changed its pointers");
  }
}

void LinkChecker::check_time(const Progress& progress, const sc_time& effective) {
  if (effective < progress.effective) {
    violated(Rule::kTimeAnnotation,
             fmt::format("{}: a phase takes effect at {}, before {} at {}", to_text(progress),
                         effective.to_string(), progress.phase.get_name(),
                         progress.effective.to_string()));
  }
}

void LinkChecker::begin_request(Payload& payload, const sc_time& delay) {
  check_new(payload);
  if (!payload.has_mm()) {
    violated(Rule::kMemoryManager, tlm::to_text(payload) + " has none");
  } else {
    check_life(payload);
  }
  if (request_ != nullptr) {
    violated(Rule::kRequestExclusion, tlm::to_text(payload) + " begins before " +
                                          to_text(open_.at(request_)) + " has ended its request");
  }
  request_ = &payload;
  open_[&payload] = begin(payload, ::tlm::BEGIN_REQ, delay);
}

void LinkChecker::advance(Payload& payload, const tlm_phase& phase, const sc_time& delay) {
  const auto found = open_.find(&payload);
  if (found == open_.end() || found->second.phase == tlm_phase()) {
    return violated(Rule::kPhaseOrder,
                    fmt::format("{} of a transaction that is not in progress", phase.get_name()));
  }
  Progress& progress = found->second;
  check_life(payload);
  check_fields(payload, progress);
  if (!follows(phase, progress.phase)) {
    return violated(Rule::kPhaseOrder, fmt::format("{}: {} after {}", to_text(progress),
                                                   phase.get_name(), progress.phase.get_name()));
  }
  check_time(progress, sc_time_stamp() + delay);
  if (phase == ::tlm::BEGIN_RESP) {
    check_answered(payload);
    if (response_ != nullptr) {
      violated(Rule::kResponseExclusion, to_text(progress) + " answers before " +
                                             to_text(open_.at(response_)) +
                                             " has ended its response");
    }
    response_ = &payload;
  }
  end_request(payload);
  progress.phase = phase;
  progress.effective = sc_time_stamp() + delay;
}

void LinkChecker::finish(const Payload& payload) {
  end_request(payload);
  if (response_ == &payload) response_ = nullptr;
  completed_ += open_.erase(&payload);
}

// The caller that ends a response may release the payload in the same call, so it must not be read
// any more.
void LinkChecker::complete(Path path, Payload& payload, const sc_time& delay) {
  const auto found = open_.find(&payload);
  if (found == open_.end()) return;
  if (path == Path::kForward) {
    check_fields(payload, found->second);
    check_answered(payload);
  }
  check_time(found->second, sc_time_stamp() + delay);
  finish(payload);
}

// `progress` is the state before the call, in which the transaction may have ended.
void LinkChecker::check_return(Path path, const tlm_phase& sent, const tlm_phase& returned,
                               tlm_sync_enum status, const sc_time& sent_delay,
                               const sc_time& delay, const Progress& progress) {
  const auto call = [&] { return fmt::format("{}, {}", to_text(progress), sent.get_name()); };
  if (status == ::tlm::TLM_ACCEPTED) {
    if (returned != sent || delay != sent_delay) {
      violated(Rule::kAcceptedUnchanged, fmt::format("{} returns with {} and {}", call(),
                                                     returned.get_name(), delay.to_string()));
    }
    return;
  }
  if (delay < sent_delay) {
    violated(Rule::kTimeAnnotation, fmt::format("{} goes in with {} and returns with {}", call(),
                                                sent_delay.to_string(), delay.to_string()));
  }
  const bool answers = sent == ::tlm::BEGIN_REQ || sent == ::tlm::BEGIN_RESP;
  const bool own_side = path == Path::kForward
                            ? returned == ::tlm::END_REQ || returned == ::tlm::BEGIN_RESP
                            : returned == ::tlm::END_RESP;
  const bool updates = answers && own_side && follows(returned, sent);
  const bool completes = answers || sent == ::tlm::END_RESP;
  if (status == ::tlm::TLM_UPDATED ? !updates : !completes) {
    violated(Rule::kReturnValue,
             fmt::format("{} returns {} with {}", call(),
                         status == ::tlm::TLM_UPDATED ? "TLM_UPDATED" : "TLM_COMPLETED",
                         returned.get_name()));
  }
}

template <class Call>
tlm_sync_enum LinkChecker::watch(Path path, Payload& payload, tlm_phase& phase, sc_time& delay,
                                 Call&& call) {
  if (is_ignorable(phase)) return call();
  const tlm_phase sent = phase;
  // A copy, because the call may change it.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const sc_time sent_delay = delay;
  const bool forward = sent == ::tlm::BEGIN_REQ || sent == ::tlm::END_RESP;
  if (forward != (path == Path::kForward)) {
    violated(Rule::kPhaseOrder,
             fmt::format("{}: {} on the wrong path", tlm::to_text(payload), sent.get_name()));
  } else if (sent == ::tlm::BEGIN_REQ) {
    begin_request(payload, delay);
  } else {
    advance(payload, sent, delay);
  }
  const Progress progress = begin(payload);
  if (sent == ::tlm::END_RESP) finish(payload);
  const tlm_sync_enum status = call();
  check_return(path, sent, phase, status, sent_delay, delay, progress);
  if (sent == ::tlm::END_RESP || status == ::tlm::TLM_ACCEPTED) return status;
  if (status == ::tlm::TLM_COMPLETED || phase == ::tlm::END_RESP) {
    complete(path, payload, delay);
  } else if (follows(phase, sent)) {
    advance(payload, phase, delay);
  }
  return status;
}

tlm_sync_enum LinkChecker::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  return watch(Path::kForward, payload, phase, delay,
               [&] { return target_->nb_transport_fw(payload, phase, delay); });
}

tlm_sync_enum LinkChecker::nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  return watch(Path::kBackward, payload, phase, delay,
               [&] { return initiator_->nb_transport_bw(payload, phase, delay); });
}

void LinkChecker::b_transport(Payload& payload, sc_time& delay) {
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  if (kind != sc_core::SC_THREAD_PROC_ && kind != sc_core::SC_CTHREAD_PROC_) {
    violated(Rule::kBlockingProcess, tlm::to_text(payload) + " comes from another process");
  }
  check_new(payload);
  const Progress progress = open_[&payload] = begin(payload, {}, delay);
  target_->b_transport(payload, delay);
  if (sc_time_stamp() + delay < progress.effective) {
    violated(Rule::kTimeAnnotation,
             fmt::format("{} goes in at {} and returns at {}", to_text(progress),
                         progress.effective.to_string(), (sc_time_stamp() + delay).to_string()));
  }
  check_fields(payload, progress);
  check_answered(payload);
  finish(payload);
}

bool LinkChecker::get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) {
  const sc_dt::uint64 address = payload.get_address();
  const bool granted = target_->get_direct_mem_ptr(payload, region);
  const bool holds = region.get_start_address() <= address && address <= region.get_end_address();
  if (granted && (!holds || region.get_dmi_ptr() == nullptr)) {
    violated(Rule::kDmiRange, fmt::format("0x{:x} is granted as 0x{:x} to 0x{:x}", address,
                                          region.get_start_address(), region.get_end_address()));
  }
  return granted;
}

void LinkChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  if (start > end) {
    violated(Rule::kDmiRange, fmt::format("0x{:x} to 0x{:x} is invalidated", start, end));
  }
  initiator_->invalidate_direct_mem_ptr(start, end);
}

unsigned int LinkChecker::transport_dbg(Payload& payload) {
  const unsigned asked = payload.get_data_length();
  const unsigned count = target_->transport_dbg(payload);
  if (count > asked) {
    violated(Rule::kDebugCount, fmt::format("{} of {} bytes", count, asked));
  }
  return count;
}

}  // namespace flitcast::tlm
