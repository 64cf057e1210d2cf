// SPDX-License-Identifier: Apache-2.0
#include "tlm/target_side.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tlm/direct_memory.h"

namespace flitcast::tlm {

TargetSide::TargetSide(const sc_core::sc_module_name& module_name, std::size_t number,
                       std::size_t initiators, Sides& sides)
    : SocketSide(module_name, sides), number_(number), flows_(initiators) {
  SC_HAS_PROCESS(TargetSide);
  SC_METHOD(act);
  sensitive << agenda_.event();
  dont_initialize();
}

// Packets of one flow may overtake each other on different virtual channels.
void TargetSide::arrived(Burst& burst) {
  burst.enter(Burst::Stage::kWaiting);
  Flow& flow = flows_[burst.transaction->initiator];
  if (burst.sequence != flow.expected) {
    flow.early.emplace(burst.sequence, &burst);
    return;
  }
  ++flow.expected;
  accept(burst);
  while (!flow.early.empty() && flow.early.begin()->first == flow.expected) {
    Burst& next = *flow.early.begin()->second;
    flow.early.erase(flow.early.begin());
    ++flow.expected;
    accept(next);
  }
}

void TargetSide::accept(Burst& burst) {
  if (burst.transaction->blocking) {
    calls_.push_back(&burst);
    begin_calls();
  } else {
    ready_.push_back(&burst);
    begin_requests();
  }
}

void TargetSide::hand_over(Burst& burst) {
  burst.enter(Burst::Stage::kAtTarget);
  burst.payload->set_address(burst.address);
}

void TargetSide::answer(Burst& burst) {
  count(*burst.payload, burst.since(), sc_core::sc_time_stamp());
  // The initiator's payload gets its address back at once; the payload of a part is not shared.
  burst.payload->set_address(burst.transaction->address);
  sides_.exchange.send(burst, Exchange::kResponses);
}

void TargetSide::begin_calls() {
  auto kept = calls_.begin();
  for (Burst* const burst : calls_) {
    if (burst->must_wait()) {
      *kept++ = burst;
    } else {
      call_blocking(*burst);
    }
  }
  calls_.erase(kept, calls_.end());
}

void TargetSide::call(Payload& payload, sc_time& delay) {
  const sc_time begun = sc_core::sc_time_stamp() + delay;
  peer_->b_transport(payload, delay);
  count(payload, begun, sc_core::sc_time_stamp() + delay);
}

// Immediate notifications start the threads in the order of these calls.
void TargetSide::call_blocking(Burst& burst) {
  const bool is_new = idle_.empty();
  Worker& worker = is_new ? workers_.emplace_back() : *idle_.back();
  worker.burst = &burst;
  if (is_new) {
    sc_core::sc_spawn([this, &worker] { work(worker); },
                      sc_core::sc_gen_unique_name("b_transport"));
  } else {
    idle_.pop_back();
    worker.go.notify();
  }
}

void TargetSide::work(Worker& worker) {
  while (true) {
    Burst& burst = *worker.burst;
    hand_over(burst);
    sc_time delay = SC_ZERO_TIME;
    peer_->b_transport(*burst.payload, delay);
    if (delay != SC_ZERO_TIME) sc_core::wait(delay);
    answer(burst);
    begin_calls();
    idle_.push_back(&worker);
    sc_core::wait(worker.go);
  }
}

// Among equal priorities the first to arrive wins; requests of one initiator never overtake each
// other.
Burst* TargetSide::most_urgent() {
  auto best = ready_.end();
  for (auto burst = ready_.begin(); burst != ready_.end(); ++burst) {
    if ((*burst)->must_wait()) continue;
    const bool found = best != ready_.end();
    if (found && (*burst)->transaction->priority <= (*best)->transaction->priority) continue;
    const auto same_flow = [&](const Burst* earlier) {
      return earlier->transaction->initiator == (*burst)->transaction->initiator;
    };
    if (std::none_of(ready_.begin(), burst, same_flow)) best = burst;
  }
  if (best == ready_.end()) return nullptr;
  Burst* const chosen = *best;
  ready_.erase(best);
  return chosen;
}

void TargetSide::begin_requests() {
  while (request_ == nullptr) {
    Burst* const next = most_urgent();
    if (next == nullptr) return;
    begin_request(*next);
  }
}

void TargetSide::begin_request(Burst& burst) {
  request_ = &burst;
  at_target_.add(*burst.payload, &burst);
  hand_over(burst);
  tlm_phase phase = ::tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm_sync_enum status = peer_->nb_transport_fw(*burst.payload, phase, delay);
  if (status == ::tlm::TLM_COMPLETED) {
    agenda_.note(delay, {Event::kCompleted, &burst});
  } else if (status == ::tlm::TLM_UPDATED && phase == ::tlm::END_REQ) {
    agenda_.note(delay, {Event::kEndRequest, &burst});
  } else if (status == ::tlm::TLM_UPDATED && phase == ::tlm::BEGIN_RESP) {
    agenda_.note(delay, {Event::kBeginResponse, &burst});
  } else if (status == ::tlm::TLM_UPDATED) {
    violated(Rule::kReturnValue, std::string("TLM_UPDATED with ") + phase.get_name());
  }
}

Burst* TargetSide::at_target(const Payload& payload, const tlm_phase& phase) {
  if (Burst* const* const found = at_target_.find(payload)) return *found;
  violated(Rule::kPhaseOrder,
           std::string(phase.get_name()) + " of a transaction that the target does not have");
  return nullptr;
}

tlm_sync_enum TargetSide::nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) {
  if (phase == ::tlm::END_REQ || phase == ::tlm::BEGIN_RESP) {
    Burst* const burst = at_target(payload, phase);
    const Event event = phase == ::tlm::END_REQ ? Event::kEndRequest : Event::kBeginResponse;
    if (burst != nullptr) agenda_.note(delay, {event, burst});
  } else if (phase == ::tlm::BEGIN_REQ || phase == ::tlm::END_RESP) {
    violated(Rule::kPhaseOrder, std::string(phase.get_name()) + " on the backward path");
  } else {
    if (Burst* const* const found = at_target_.find(payload)) {
      Burst& burst = **found;
      InitiatorSide& initiator = *sides_.initiators[burst.transaction->initiator];
      return initiator.backward_ignorable(burst, phase, delay);
    }
    ++counters_.phases_ignored;
  }
  return ::tlm::TLM_ACCEPTED;
}

tlm_sync_enum TargetSide::forward_ignorable(Burst& burst, tlm_phase& phase, sc_time& delay) {
  if (at_target_.find(*burst.payload) != nullptr) {
    return peer_->nb_transport_fw(*burst.payload, phase, delay);
  }
  ++counters_.phases_ignored;
  return ::tlm::TLM_ACCEPTED;
}

void TargetSide::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  if (!sides_.limits.forward_dmi) return;
  for (const Window& window : sides_.map.windows()) {
    sc_dt::uint64 first = start;
    sc_dt::uint64 last = end;
    if (window.target != number_ || !show_to_initiator(first, last, window)) continue;
    for (const auto& side : sides_.initiators) {
      side->peer().invalidate_direct_mem_ptr(first, last);
    }
  }
}

void TargetSide::act() {
  Entry entry;
  while (agenda_.take(entry)) {
    Burst& burst = *entry.burst;
    if (request_ == &burst) request_ = nullptr;
    if (entry.event == Event::kEndRequest) continue;
    at_target_.remove(*burst.payload);
    if (entry.event == Event::kBeginResponse) {
      tlm_phase phase = ::tlm::END_RESP;
      sc_time delay = SC_ZERO_TIME;
      peer_->nb_transport_fw(*burst.payload, phase, delay);
    }
    answer(burst);
  }
  begin_requests();
}

}  // namespace flitcast::tlm
