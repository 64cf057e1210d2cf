// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/crossbar_stages.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "router/bump_allocator.h"

namespace flitcast {

CrossbarStages::CrossbarStages(const Topology& topology, std::uint32_t stage_cycles)
    : row_mask_((1U << detail::log2_ceil(stage_cycles + 1)) - 1),
      wake_words_(set_words(topology.router_count() + 1)),
      wakes_(wake_words_ * (row_mask_ + 1), 0) {
  const std::size_t routers = topology.router_count();
  for (const RouterId router : topology.routers()) {
    const auto inputs = static_cast<std::uint32_t>(topology.input_count(router));
    const auto outputs = static_cast<std::uint32_t>(topology.output_count(router));
    switches_.push_back({CrossbarCore(inputs, outputs), std::vector<FlitOutput>(outputs)});
    add_receiver(inputs);
  }
  add_receiver(topology.node_count());
  for (const Channel& channel : topology.channels()) {
    link_of(channel.from) = end_at(index(channel.to.router), index(channel.to.port), stage_cycles);
  }
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const auto& [injection, ejection] = topology.attachment(NodeId{node});
    injections_.push_back(end_at(index(injection.router), index(injection.port), 0));
    link_of(ejection) = end_at(routers, node, stage_cycles);
  }
}

void CrossbarStages::add_receiver(std::size_t ports) {
  const std::size_t rows = row_mask_ + 1;
  const std::size_t words = set_words(ports);
  receivers_.push_back(
      {std::vector<SetWord>(words * rows), std::vector<Flit>(ports * rows), words});
  valid_.resize(std::max(valid_.size(), words));
}

FlitOutput CrossbarStages::end_at(std::size_t number, std::size_t port, std::uint32_t latency) {
  Receiver& receiver = receivers_[number];
  FlitOutput link;
  link.ring = receiver.flits.data() + port * (row_mask_ + 1);
  link.end.word = receiver.arrivals.data() + port / 64 * (row_mask_ + 1);
  link.end.first_bit = port % 64;
  link.end.wake_by(&wakes(number / 64, 0), number % 64);
  link.end.latency = latency;
  return link;
}

std::uint64_t CrossbarStages::tick(Cycle now) {
  std::uint64_t ticked = 0;
  for (std::size_t w = 0; w < wake_words_; ++w) {
    std::uint64_t rest = std::exchange(wakes(w, row_of(now)), 0);
    ticked += popcount(rest);
    for (; rest != 0; rest &= rest - 1) {
      tick_switch(w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest)), now);
    }
  }
  return ticked;
}

namespace {

/// The host of a crossbar core: its access to the network.
struct Host {
  const Flit* inputs;  ///< Flits of this cycle's row.
  std::size_t rows;
  FlitOutput* links;
  std::uint64_t now;
  std::uint32_t row_mask;

  void forward(std::uint32_t input, std::uint32_t output) {
    links[output].send(now, row_mask, 0, inputs[input * rows]);
  }
};

}  // namespace

void CrossbarStages::tick_switch(std::size_t number, Cycle now) {
  const std::size_t row = row_of(now);
  Receiver& receiver = receivers_[number];
  for (std::size_t w = 0; w < receiver.words; ++w) {
    valid_[w] = std::exchange(receiver.arrivals[w * (row_mask_ + 1) + row], 0);
  }
  Host host{receiver.flits.data() + row, row_mask_ + std::size_t{1}, switches_[number].links.data(),
            index(now), row_mask_};
  switches_[number].core.tick(valid_.data(), host);
}

bool CrossbarStages::expected(Endpoint output, Cycle due) const {
  const WheelOutput& end = link(output).end;
  return (end.word[row_of(due)] >> end.first_bit & 1) != 0;
}

std::uint64_t CrossbarStages::flits_on_links() const {
  return sum_of<std::uint64_t>(receivers_, [](const Receiver& receiver) {
    return sum_of<std::uint64_t>(receiver.arrivals, popcount);
  });
}

}  // namespace flitcast
