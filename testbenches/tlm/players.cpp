// SPDX-License-Identifier: Apache-2.0
#include "tlm/players.h"

#include <algorithm>

namespace flitcast::testing {

using namespace ::tlm;
using sc_core::sc_time;
using sc_core::sc_time_stamp;
using sc_core::SC_ZERO_TIME;

AtInitiator::AtInitiator(const sc_core::sc_module_name& module_name, EndStyle style,
                         sc_time end_delay)
    : sc_module(module_name), style_(style), end_delay_(end_delay) {
  socket.bind(*this);
  SC_HAS_PROCESS(AtInitiator);
  SC_METHOD(begin);
  sensitive << go_;
  dont_initialize();
  SC_METHOD(end);
  sensitive << agenda_.event();
  dont_initialize();
}

void AtInitiator::send(Payload& payload, sc_time delay) {
  waiting_.push_back({&payload, delay});
  next();
}

void AtInitiator::next() { go_.notify(SC_ZERO_TIME); }

void AtInitiator::begin() {
  if (request_ != nullptr || waiting_.empty()) return;
  Waiting now = waiting_.front();
  waiting_.pop_front();
  request_ = now.payload;
  open_[now.payload] = {now.payload, sc_time_stamp() + now.delay, {}, {}, 0};
  tlm_phase phase = BEGIN_REQ;
  if (socket->nb_transport_fw(*now.payload, phase, now.delay) == TLM_ACCEPTED) return;
  SC_REPORT_ERROR(name(), "the network interface accepts requests, and answers later");
}

tlm_sync_enum AtInitiator::nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  if (phase > END_RESP) {
    ignorable_phases.push_back(phase);
    return TLM_ACCEPTED;
  }
  if (request_ == &payload) {
    request_ = nullptr;
    open_[&payload].accepted = sc_time_stamp();
    next();
  }
  if (phase == END_REQ) return TLM_ACCEPTED;
  Answer answer = open_[&payload];
  answer.answered = sc_time_stamp() + delay;
  answer.address = payload.get_address();
  answers.push_back(answer);
  open_.erase(&payload);
  agenda_.note(delay + end_delay_, {&payload, style_ == EndStyle::kCall});
  if (style_ == EndStyle::kCall) return TLM_ACCEPTED;
  phase = END_RESP;
  delay += end_delay_;
  return style_ == EndStyle::kUpdated ? TLM_UPDATED : TLM_COMPLETED;
}

void AtInitiator::end() {
  Due due;
  while (agenda_.take(due)) {
    if (due.by_call) {
      tlm_phase phase = END_RESP;
      sc_time delay = SC_ZERO_TIME;
      socket->nb_transport_fw(*due.payload, phase, delay);
    }
    ended(*due.payload);
    due.payload->release();
  }
}

LtInitiator::LtInitiator(const sc_core::sc_module_name& module_name,
                         std::function<void(LtInitiator&)> body)
    : sc_module(module_name), body_(std::move(body)) {
  socket.bind(*this);
  SC_HAS_PROCESS(LtInitiator);
  SC_THREAD(run);
}

void LtInitiator::run() {
  body_(*this);
  done = true;
}

tlm_response_status LtInitiator::access(tlm_command command, std::uint64_t address,
                                        std::vector<unsigned char>& data) {
  Payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
  sc_time delay = SC_ZERO_TIME;
  socket->b_transport(payload, delay);
  wait(delay);
  return payload.get_response_status();
}

Memory::Memory(const sc_core::sc_module_name& module_name, std::size_t size, PhaseStyle style,
               sc_time latency)
    : sc_module(module_name), bytes(size, 0), style_(style), latency_(latency) {
  socket.bind(*this);
  SC_HAS_PROCESS(Memory);
  SC_METHOD(act);
  sensitive << agenda_.event();
  dont_initialize();
}

void Memory::note(Payload& payload) {
  accesses.push_back({&payload, payload.get_command(), payload.get_address(),
                      payload.get_data_length(), sc_time_stamp()});
}

void Memory::operate(Payload& payload) {
  const unsigned length = payload.get_data_length();
  const unsigned width = std::min(length, payload.get_streaming_width());
  payload.set_response_status(TLM_OK_RESPONSE);
  if (length > longest) return payload.set_response_status(TLM_BURST_ERROR_RESPONSE);
  if (payload.get_address() + width > bytes.size()) {
    return payload.set_response_status(TLM_ADDRESS_ERROR_RESPONSE);
  }
  const unsigned char* enables = payload.get_byte_enable_ptr();
  for (unsigned b = 0; b < length; ++b) {
    const bool enabled =
        enables == nullptr || enables[b % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    unsigned char& cell = bytes[payload.get_address() + b % width];
    unsigned char& datum = payload.get_data_ptr()[b];
    if (enabled && payload.is_write()) cell = datum;
    if (enabled && payload.is_read()) datum = cell;
  }
  if (dmi) payload.set_dmi_allowed(true);
}

tlm_sync_enum Memory::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  if (phase == BEGIN_REQ) return begin_request(payload, phase, delay);
  if (phase != END_RESP) {
    ignorable_phases.push_back(phase);
    return TLM_ACCEPTED;
  }
  responding_ = false;
  if (!responses_.empty()) agenda_.note(SC_ZERO_TIME, {nullptr, true});
  return TLM_COMPLETED;
}

tlm_sync_enum Memory::begin_request(Payload& payload, tlm_phase& phase, sc_time& delay) {
  note(payload);
  if (silent) return TLM_ACCEPTED;
  switch (style_) {
    case PhaseStyle::kCompleted:
    case PhaseStyle::kUpdatedToResponse:
      operate(payload);
      delay += latency_;
      if (style_ == PhaseStyle::kCompleted) return TLM_COMPLETED;
      phase = BEGIN_RESP;
      return TLM_UPDATED;
    case PhaseStyle::kTwoPhases:
      agenda_.note(delay + latency_, {&payload, true});
      phase = END_REQ;
      return TLM_UPDATED;
    case PhaseStyle::kThreePhases:  // The target omits END_REQ.
      agenda_.note(delay + latency_, {&payload, true});
      return TLM_ACCEPTED;
    case PhaseStyle::kFourPhases:
      agenda_.note(delay, {&payload, false});
      return TLM_ACCEPTED;
  }
  return TLM_ACCEPTED;
}

void Memory::act() {
  Due due;
  while (agenda_.take(due)) {
    sc_time delay = SC_ZERO_TIME;
    if (due.payload != nullptr && !due.response) {
      tlm_phase phase = END_REQ;
      socket->nb_transport_bw(*due.payload, phase, delay);
      agenda_.note(latency_, {due.payload, true});
      continue;
    }
    if (due.payload != nullptr) responses_.push_back(due.payload);
    if (responding_ || responses_.empty()) continue;
    Payload& payload = *responses_.front();
    responses_.pop_front();
    operate(payload);
    responding_ = true;
    tlm_phase phase = BEGIN_RESP;
    if (socket->nb_transport_bw(payload, phase, delay) == TLM_COMPLETED) responding_ = false;
  }
}

void Memory::b_transport(Payload& payload, sc_time& delay) {
  note(payload);
  if (silent) sc_core::wait();
  operate(payload);
  delay += latency_;
}

bool Memory::get_direct_mem_ptr(Payload&, tlm_dmi& region) {
  if (!dmi) return false;
  region.allow_read_write();
  region.set_start_address(0);
  region.set_end_address(bytes.size() - 1);
  region.set_dmi_ptr(bytes.data());
  return true;
}

unsigned int Memory::transport_dbg(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t space = address < bytes.size() ? bytes.size() - address : 0;
  const auto count =
      static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), space));
  for (unsigned b = 0; b < count; ++b) {
    unsigned char& cell = bytes[address + b];
    unsigned char& datum = payload.get_data_ptr()[b];
    if (payload.is_write()) cell = datum;
    if (payload.is_read()) datum = cell;
  }
  return count;
}

}  // namespace flitcast::testing
