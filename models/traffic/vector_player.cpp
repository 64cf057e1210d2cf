// SPDX-License-Identifier: Apache-2.0
#include "traffic/vector_player.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

namespace {

/// The number of elements in the partial sums among the items; results need no combination.
std::size_t combinable(const VectorData& data, const Demand& demand, const Items& items) {
  return sum_of<std::size_t>(items, [&](const ChunkId item) {
    return is_result(item) ? 0 : data.elements_of(demand, item);
  });
}

/// The cycles to combine the given number of elements.
std::uint64_t cycles_to_combine(std::size_t elements, double combine_cycles) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(elements) * combine_cycles));
}

}  // namespace

std::uint64_t combining_time(const Schedule& schedule, const Demand& demand, const VectorData& data,
                             double combine_cycles) {
  std::uint64_t time = 0;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::vector<std::uint64_t> busy(demand.nodes, 0);
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const std::size_t elements = combinable(data, demand, schedule.items(m));
      for (const NodeId to : schedule.receivers(m)) {
        busy[index(to)] += cycles_to_combine(elements, combine_cycles);
      }
    }
    time += *std::max_element(busy.begin(), busy.end());
  }
  return time;
}

VectorPlayer::VectorPlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
                           const VectorData& data, double combine_cycles, DestinationGroups* groups,
                           Placement placement)
    : SchedulePlayer(topology, schedule, demand, Timing::kRounds, data.length, data.seed, groups,
                     std::move(placement)),
      data_(data),
      combine_cycles_(combine_cycles),
      sums_(demand, data),
      loads_(schedule.size()),
      busy_until_(demand.nodes) {}

std::uint64_t VectorPlayer::load(std::size_t message) {
  loads_[message] = sums_.load(schedule(), message);
  return digest_of(loads_[message]);
}

Cycle VectorPlayer::unload(std::size_t message, const Delivery& delivery) {
  lost_ += digest_of(loads_[message]) != delivery.packet.payload;
  const std::size_t elements = combinable(data_, sums_.demand(), schedule().items(message));
  combined_ += elements;
  Cycle& busy = busy_until_[index(placement().rank(delivery.node))];
  busy = std::max(busy, delivery.arrival) + cycles_to_combine(elements, combine_cycles_);
  receive_apart(busy);
  return busy;
}

std::uint64_t VectorPlayer::wrong() const {
  VectorLedger expected(sums_.demand(), data_);
  expected.carry_out(schedule());
  return sums_.differences(expected) + lost_;
}

}  // namespace flitcast
