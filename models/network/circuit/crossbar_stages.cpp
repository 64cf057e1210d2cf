// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/crossbar_stages.h"

#include <algorithm>
#include <utility>

#include "router/carver.h"

namespace flitcast {

CrossbarStages::CrossbarStages(const CircuitLayout& layout, std::uint32_t stage_cycles)
    : layout_(layout),
      row_mask_((1U << detail::log2_ceil(stage_cycles + 1)) - 1),
      links_(layout.outputs()),
      wake_words_(set_words(layout.switches().size() + 1)),
      wakes_(wake_words_ * (row_mask_ + 1), 0) {
  switches_.reserve(layout.switches().size());
  for (const CircuitLayout::Switch& shape : layout.switches()) {
    switches_.push_back(
        {CrossbarCore(shape.inputs, shape.outputs), links_.data() + shape.first_output});
  }
  place_receivers();
  for (std::uint32_t s = 0; s < switches_.size(); ++s) {
    for (std::uint32_t output = 0; output < switches_[s].core.outputs(); ++output) {
      switches_[s].links[output] = end_at(layout.target(s, output), stage_cycles);
    }
  }
  for (std::uint32_t node = 0; node < layout.nodes(); ++node) {
    injections_.push_back(end_at(layout.entry({}, node), 0));
  }
}

void CrossbarStages::place_receivers() {
  const std::size_t rows = row_mask_ + 1;
  std::size_t words = set_words(layout_.nodes());
  for (const CircuitLayout::Switch& shape : layout_.switches()) words += set_words(shape.inputs);
  arrivals_.assign(words * rows, 0);
  flits_.resize((layout_.inputs() + std::size_t{layout_.nodes()}) * rows);
  SetWord* arrivals = arrivals_.data();
  Flit* flits = flits_.data();
  const auto place = [&](std::uint32_t ports) {
    const auto row_words = static_cast<std::uint32_t>(set_words(ports));
    receivers_.push_back({arrivals, flits, row_words});
    arrivals += row_words * rows;
    flits += ports * rows;
  };
  for (const CircuitLayout::Switch& shape : layout_.switches()) place(shape.inputs);
  place(layout_.nodes());
}

FlitEnd CrossbarStages::end_at(const Port& to, std::uint32_t latency) {
  const std::uint32_t number = receiver_of(to);
  const Receiver& receiver = receivers_[number];
  FlitEnd link;
  link.ring = receiver.flits + std::size_t{to.port} * (row_mask_ + 1);
  link.indexed_by_row = true;
  link.end.word = receiver.arrivals + to.port / 64;
  link.end.word_stride = receiver.words;
  link.end.first_bit = to.port % 64;
  link.end.wake = wakes_.data() + number / 64;
  link.end.wake_bit = std::uint64_t{1} << number % 64;
  link.end.wake_stride = static_cast<std::uint32_t>(wake_words_);
  link.end.latency = latency;
  return link;
}

std::uint64_t CrossbarStages::tick(Cycle now) {
  std::uint64_t ticked = 0;
  std::uint64_t* awake = wakes(row_of(now));
  for (std::size_t w = 0; w < wake_words_; ++w) {
    std::uint64_t rest = std::exchange(awake[w], 0);
    ticked += popcount(rest);
    for (; rest != 0; rest &= rest - 1) {
      tick_switch(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)), now);
    }
  }
  return ticked;
}

namespace {

/// What a crossbar sees of the network.
struct Surroundings {
  const Flit* inputs;  ///< Of this cycle's row.
  std::size_t rows;
  FlitEnd* links;
  std::uint64_t now;
  std::uint32_t row_mask;

  void forward(std::uint32_t input, std::uint32_t output) {
    links[output].send(now, row_mask, 0, 0, inputs[input * rows]);
  }
};

}  // namespace

void CrossbarStages::tick_switch(std::size_t number, Cycle now) {
  const std::size_t row = row_of(now);
  const Receiver& receiver = receivers_[number];
  SetWord* valid = receiver.arrivals + row * receiver.words;
  Surroundings around{receiver.flits + row, row_mask_ + std::size_t{1}, switches_[number].links,
                      index(now), row_mask_};
  switches_[number].core.tick(valid, around);
  std::fill_n(valid, receiver.words, SetWord{0});
}

bool CrossbarStages::expected(const Port& to, Cycle due) const {
  const Receiver& receiver = receivers_[receiver_of(to)];
  const SetWord* arrivals = receiver.arrivals + row_of(due) * receiver.words;
  return (arrivals[to.port / 64] >> to.port % 64 & 1) != 0;
}

std::uint64_t CrossbarStages::flits_on_links() const {
  std::uint64_t flits = 0;
  for (const SetWord word : arrivals_) flits += popcount(word);
  return flits;
}

}  // namespace flitcast
