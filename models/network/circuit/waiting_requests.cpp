// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/waiting_requests.h"

#include <algorithm>

#include "base/sequences.h"

namespace flitcast {

WaitingRequests::WaitingRequests(const clos::NetworkState& state)
    : state_(state),
      requests_(state.structure().inputs()),
      interest_(state.structure().outputs(), requests_.size()),
      ready_(requests_.size()),
      waiting_(requests_.size()),
      blocked_(requests_.size()),
      round_(requests_.size()),
      found_(requests_.size()) {}

void WaitingRequests::arrive(clos::InputId input, Cycle now) {
  const std::size_t i = index(input);
  for (const clos::OutputId output : requests_[i].outputs) interest_.set(index(output), i);
  classify(i, now);
}

std::optional<clos::InputId> WaitingRequests::start_next(Cycle now) {
  if (ready_count_ == 0) return std::nullopt;
  std::size_t next = round_.first();
  if (next == round_.size()) {
    round_ = ready_;
    next = round_.first();
  }
  clear_ready(next);
  waits_.controller += waited(next, now);
  requests_[next].since = now;
  return to_id<clos::InputId>(next);
}

void WaitingRequests::granted(clos::InputId input, Cycle now) {
  take_out(index(input));
  find_interested(requests_[index(input)].outputs, ready_);
  found_.for_each([&](std::size_t loser) {
    clear_ready(loser);
    waits_.controller += waited(loser, now);
    classify(loser, now);
  });
}

void WaitingRequests::blocked(clos::InputId input, Cycle now) {
  requests_[index(input)].since = now;
  blocked_.set(index(input));
}

void WaitingRequests::dropped(clos::InputId input, std::uint64_t clocks) {
  take_out(index(input));
  waits_.path += clocks;
}

void WaitingRequests::released(clos::InputId input, Cycle now) {
  find_interested(outputs(input), waiting_);
  found_.for_each([&](std::size_t waiter) {
    waiting_.reset(waiter);
    waits_.outputs += waited(waiter, now);
    classify(waiter, now);
  });
  blocked_.for_each([&](std::size_t waiter) {
    waits_.path += waited(waiter, now);
    classify(waiter, now);
  });
  blocked_.clear();
}

bool WaitingRequests::valid(std::size_t input) const {
  const auto& outputs = requests_[input].outputs;
  return all_of(
      outputs, [this](clos::OutputId output) { return state_.idle_outputs().test(index(output)); });
}

void WaitingRequests::classify(std::size_t input, Cycle now) {
  requests_[input].since = now;
  if (valid(input)) {
    ready_.set(input);
    ++ready_count_;
  } else {
    waiting_.set(input);
  }
}

void WaitingRequests::clear_ready(std::size_t input) {
  ready_.reset(input);
  round_.reset(input);
  --ready_count_;
}

void WaitingRequests::take_out(std::size_t input) {
  for (const clos::OutputId output : requests_[input].outputs) {
    interest_.reset(index(output), input);
  }
}

void WaitingRequests::find_interested(const std::vector<clos::OutputId>& outputs,
                                      const BitSet& among) {
  found_.clear();
  for (const clos::OutputId output : outputs) {
    const SetWord* interested = interest_.row(index(output));
    for (std::size_t w = 0; w < found_.word_count(); ++w) found_.words()[w] |= interested[w];
  }
  found_ &= among;
}

}  // namespace flitcast
