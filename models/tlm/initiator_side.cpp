// SPDX-License-Identifier: Apache-2.0
#include "tlm/initiator_side.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "tlm/direct_memory.h"
#include "tlm/extensions.h"
#include "tlm/target_side.h"

namespace flitcast::tlm {

InitiatorSide::InitiatorSide(const sc_core::sc_module_name& module_name, std::uint32_t number,
                             std::size_t targets, Sides& sides)
    : SocketSide(module_name, sides), number_(number), sequences_(targets, 0) {
  SC_HAS_PROCESS(InitiatorSide);
  SC_METHOD(act);
  sensitive << agenda_.event();
  dont_initialize();
}

// These functions handle the calls of initiators.

tlm_sync_enum InitiatorSide::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  if (phase == ::tlm::BEGIN_REQ) {
    begin_request(payload, delay);
  } else if (phase == ::tlm::END_RESP) {
    end_response(payload, delay);
    return ::tlm::TLM_COMPLETED;
  } else if (phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP) {
    violated(Rule::kPhaseOrder, std::string(phase.get_name()) + " on the forward path");
  } else {
    return pass_on(payload, phase, delay);
  }
  return ::tlm::TLM_ACCEPTED;
}

void InitiatorSide::begin_request(Payload& payload, const sc_time& delay) {
  if (!payload.has_mm()) {
    return violated(Rule::kMemoryManager, to_text(payload) + " has none");
  }
  if (open_.find(payload) != nullptr) {
    // A checker takes a response as ended before its END_RESP takes effect.
    return violated(Rule::kPayloadLife, to_text(payload) + " begins while its payload is in use",
                    response_ != nullptr && response_->payload == &payload);
  }
  if (request_ != nullptr) {
    return violated(Rule::kRequestExclusion,
                    to_text(payload) + " begins before END_REQ of " + to_text(*request_));
  }
  request_ = &payload;
  open_.add(payload, nullptr);
  payload.acquire();
  agenda_.note(delay, {Event::kBeginRequest, &payload});
}

void InitiatorSide::end_response(const Payload& payload, const sc_time& delay) {
  if (response_ == nullptr || response_->payload != &payload) {
    return violated(Rule::kPhaseOrder, "END_RESP of " + to_text(payload) + " without BEGIN_RESP");
  }
  agenda_.note(delay, {Event::kEndResponse, nullptr});
}

tlm_sync_enum InitiatorSide::pass_on(Payload& payload, tlm_phase& phase, sc_time& delay) {
  Transaction* const* const open = open_.find(payload);
  const Transaction* const transaction = open == nullptr ? nullptr : *open;
  const bool whole = transaction != nullptr && transaction->bursts.size() == 1 &&
                     !transaction->bursts.front()->is_part();
  if (whole) {
    Burst& burst = *transaction->bursts.front();
    return sides_.targets[burst.target]->forward_ignorable(burst, phase, delay);
  }
  ++counters_.phases_ignored;
  return ::tlm::TLM_ACCEPTED;
}

tlm_sync_enum InitiatorSide::backward_ignorable(Burst& burst, tlm_phase& phase, sc_time& delay) {
  if (burst.is_part()) return ::tlm::TLM_ACCEPTED;
  burst.payload->set_address(burst.transaction->address);
  const tlm_sync_enum status = peer_->nb_transport_bw(*burst.payload, phase, delay);
  burst.payload->set_address(burst.address);
  return status;
}

void InitiatorSide::b_transport(Payload& payload, sc_time& delay) {
  const bool estimated = payload.get_extension<MulticastWrite>() == nullptr;
  if (estimated && sides_.timing != Timing::kCycle) return annotate(payload, delay);
  if (delay != SC_ZERO_TIME) sc_core::wait(delay);
  delay = SC_ZERO_TIME;
  const ::tlm::tlm_response_status status = plan(payload);
  Transaction& transaction = sides_.ledger.open(payload, number_, true);
  if (status != ::tlm::TLM_OK_RESPONSE) {
    payload.set_response_status(status);
  } else {
    add_bursts(transaction);
    held_.push_back(&transaction);
    agenda_.note(SC_ZERO_TIME, {Event::kReconsider, nullptr});
    sc_core::wait(transaction.answered);
  }
  count(transaction);
  close(transaction);
}

// A target may wait, and then changes its delay.
void InitiatorSide::annotate(Payload& payload, sc_time& delay) {
  const Timing timing = sides_.timing;
  const sc_time begun = sc_core::sc_time_stamp() + delay;
  const std::uint64_t address = payload.get_address();
  const ::tlm::tlm_response_status status = plan(payload);
  if (status == ::tlm::TLM_OK_RESPONSE) {
    const Window& window = *sides_.map.find(address, 1);
    const auto add_time = [&](std::uint8_t message_class) {
      if (timing != Timing::kAnalytic) return;
      delay += sides_.exchange.estimate(number_, window.target, payload, message_class, delay);
    };
    payload.set_address(window.to_target(address));
    add_time(Exchange::kRequests);
    sides_.targets[window.target]->call(payload, delay);
    add_time(Exchange::kResponses);
    payload.set_address(address);
  } else {
    payload.set_response_status(status);
  }
  payload.set_dmi_allowed(payload.is_dmi_allowed() && sides_.limits.forward_dmi);
  count({{payload.get_command(), payload.get_data_length(), payload.get_response_status(), begun,
          sc_core::sc_time_stamp() + delay},
         number_,
         address});
}

// These functions process the recorded calls.

void InitiatorSide::act() {
  Entry entry;
  while (agenda_.take(entry)) {
    if (entry.event == Event::kBeginRequest) take_in(*entry.payload);
    if (entry.event == Event::kEndResponse) release_response();
  }
  admit();
  begin_responses();
}

void InitiatorSide::take_in(Payload& payload) {
  const ::tlm::tlm_response_status status = plan(payload);
  Transaction& transaction = sides_.ledger.open(payload, number_, false);
  *open_.find(payload) = &transaction;
  if (status == ::tlm::TLM_OK_RESPONSE) {
    add_bursts(transaction);
    held_.push_back(&transaction);
    return;
  }
  payload.set_response_status(status);
  end_request(transaction);
  answer(transaction);
}

/// Finds the destinations of the payload, or the error that answers it.
::tlm::tlm_response_status InitiatorSide::plan(const Payload& payload) {
  const auto* multicast = payload.get_extension<MulticastWrite>();
  const bool known =
      payload.is_read() || payload.is_write() || payload.get_command() == ::tlm::TLM_IGNORE_COMMAND;
  if (!known || (multicast != nullptr && !payload.is_write())) {
    return ::tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  destinations_.assign(1, payload.get_address());
  if (multicast != nullptr) {
    destinations_.insert(destinations_.end(), multicast->addresses.begin(),
                         multicast->addresses.end());
  }
  const unsigned span = row_bytes(payload.get_data_length(), payload.get_streaming_width());
  const bool mapped = all_of(
      destinations_, [&](auto address) { return sides_.map.find(address, span) != nullptr; });
  return mapped ? ::tlm::TLM_OK_RESPONSE : ::tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void InitiatorSide::add_bursts(Transaction& transaction) {
  const Payload& payload = *transaction.payload;
  const unsigned bytes = payload.get_data_length();
  const unsigned most = sides_.limits.burst_bytes;
  const bool whole = destinations_.size() == 1 && (most == 0 || bytes <= most);
  const bool repeats = row_bytes(bytes, payload.get_streaming_width()) < bytes;
  for (const std::uint64_t destination : destinations_) {
    const Window& window = *sides_.map.find(destination, 1);
    const auto target = static_cast<std::uint32_t>(window.target);
    const std::uint64_t address = window.to_target(destination);
    if (whole) {
      sides_.ledger.add_burst(transaction, target, address);
      return;
    }
    const Burst* before = nullptr;
    for (const Piece& piece : pieces_of(bytes, payload.get_streaming_width(), most)) {
      Burst& part = sides_.ledger.add_part(transaction, target, address, piece);
      if (repeats) part.before = std::exchange(before, &part);
    }
  }
}

void InitiatorSide::admit() {
  while (!held_.empty() && outstanding_ < sides_.limits.outstanding) {
    Transaction& transaction = *held_.front();
    held_.pop_front();
    ++outstanding_;
    transaction.enter(Transaction::Stage::kInFlight);
    for (Burst* burst : transaction.bursts) {
      burst->sequence = sequences_[burst->target]++;
      sides_.exchange.send(*burst, Exchange::kRequests);
    }
    if (!transaction.blocking) end_request(transaction);
  }
}

void InitiatorSide::end_request(Transaction& transaction) {
  request_ = nullptr;
  tlm_phase phase = ::tlm::END_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm_sync_enum status = peer_->nb_transport_bw(*transaction.payload, phase, delay);
  if (status == ::tlm::TLM_ACCEPTED) return;
  violated(Rule::kReturnValue, "an answer to END_REQ other than TLM_ACCEPTED");
}

// These functions handle responses.

void InitiatorSide::arrived(Burst& burst) {
  Transaction& transaction = *burst.transaction;
  burst.enter(Burst::Stage::kBack);
  counters_.count(burst);
  sides_.targets[burst.target]->counters().count(burst);
  if (--transaction.unanswered != 0) return;
  complete(transaction);
  answer(transaction);
  begin_responses();
}

/// Completes the payload of the transaction from its parts.
void InitiatorSide::complete(Transaction& transaction) {
  Payload& payload = *transaction.payload;
  const auto& bursts = transaction.bursts;
  if (bursts.front()->is_part()) {
    const auto* const refused =
        first_where(bursts, [](const Burst* burst) { return !burst->payload->is_response_ok(); });
    const Burst& telling = refused == nullptr ? *bursts.front() : **refused;
    payload.set_response_status(telling.payload->get_response_status());
    payload.set_dmi_allowed(
        all_of(bursts, [](const Burst* burst) { return burst->payload->is_dmi_allowed(); }));
  }
  if (!sides_.limits.forward_dmi) payload.set_dmi_allowed(false);
}

void InitiatorSide::answer(Transaction& transaction) {
  if (transaction.blocking) {
    transaction.answered.notify();
  } else {
    transaction.enter(Transaction::Stage::kAnswering);
    answered_.push_back(&transaction);
  }
}

void InitiatorSide::begin_responses() {
  while (response_ == nullptr && !answered_.empty()) {
    const auto most_urgent = std::max_element(
        answered_.begin(), answered_.end(),
        [](const Transaction* a, const Transaction* b) { return a->priority < b->priority; });
    Transaction& transaction = **most_urgent;
    answered_.erase(most_urgent);
    begin_response(transaction);
  }
}

// The initiator may end the response in this call or, later, by a separate call.
void InitiatorSide::begin_response(Transaction& transaction) {
  response_ = &transaction;
  count(transaction);
  tlm_phase phase = ::tlm::BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  const tlm_sync_enum status = peer_->nb_transport_bw(*transaction.payload, phase, delay);
  if (status == ::tlm::TLM_COMPLETED ||
      (status == ::tlm::TLM_UPDATED && phase == ::tlm::END_RESP)) {
    agenda_.note(delay, {Event::kEndResponse, nullptr});
  } else if (status == ::tlm::TLM_UPDATED) {
    violated(Rule::kReturnValue, std::string("TLM_UPDATED with ") + phase.get_name());
  }
}

void InitiatorSide::release_response() {
  Transaction& transaction = *std::exchange(response_, nullptr);
  Payload& payload = *transaction.payload;
  open_.remove(payload);
  close(transaction);
  payload.release();
}

void InitiatorSide::count(const TransactionRecord& record) {
  counters_.count(record);
  if (sides_.observer) sides_.observer(record);
}

void InitiatorSide::count(Transaction& transaction) {
  transaction.status = transaction.payload->get_response_status();
  transaction.ended = sc_core::sc_time_stamp();
  count(static_cast<const TransactionRecord&>(transaction));
}

// A transaction answered without entering the network takes no slot in it.
void InitiatorSide::close(Transaction& transaction) {
  if (!transaction.bursts.empty()) {
    --outstanding_;
    if (!held_.empty()) agenda_.note(SC_ZERO_TIME, {Event::kReconsider, nullptr});
  }
  sides_.ledger.close(transaction);
}

// This function takes no simulated time.

bool InitiatorSide::get_direct_mem_ptr(Payload& payload, ::tlm::tlm_dmi& region) {
  const std::uint64_t address = payload.get_address();
  const Window* window = sides_.map.find(address, 1);
  bool granted = false;
  region.init();
  if (sides_.limits.forward_dmi && window != nullptr) {
    payload.set_address(window->to_target(address));
    granted = sides_.targets[window->target]->peer().get_direct_mem_ptr(payload, region);
    payload.set_address(address);
    if (granted && sides_.timing != Timing::kIdeal) {
      const auto least = [&](::tlm::tlm_command command) {
        return sides_.exchange.least_time(number_, window->target, command);
      };
      region.set_read_latency(region.get_read_latency() + least(::tlm::TLM_READ_COMMAND));
      region.set_write_latency(region.get_write_latency() + least(::tlm::TLM_WRITE_COMMAND));
    }
  }
  if (window == nullptr || !show_to_initiator(region, *window)) {
    region.set_start_address(address);
    region.set_end_address(address);
    granted = false;
  }
  ++(granted ? counters_.dmi_granted : counters_.dmi_denied);
  return granted;
}

// Transfers at most as many bytes as the window has.
unsigned int InitiatorSide::transport_dbg(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  const Window* window = sides_.map.find(address, 1);
  ++counters_.debug_accesses;
  if (window == nullptr || bytes == 0) return 0;
  payload.set_address(window->to_target(address));
  payload.set_data_length(
      static_cast<unsigned>(std::min<std::uint64_t>(bytes - 1, window->last() - address)) + 1);
  const unsigned count = sides_.targets[window->target]->peer().transport_dbg(payload);
  payload.set_data_length(bytes);
  payload.set_address(address);
  return count;
}

}  // namespace flitcast::tlm
