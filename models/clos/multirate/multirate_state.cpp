// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "clos/network_state.h"

namespace flitcast::clos {
namespace {

WeightRange sound(const WeightRange& weights) {
  if (weights.capacity < 1 || weights.capacity > kMostCapacity) {
    throw std::invalid_argument(
        fmt::format("the capacity is {}; take 1 to {}", weights.capacity, kMostCapacity));
  }
  if (weights.least < 1 || weights.least > weights.capacity) {
    throw std::invalid_argument(fmt::format("the least weight is {}; take 1 to the capacity, {}",
                                            weights.least, weights.capacity));
  }
  return weights;
}

// Sets bit t of `words` if load t is above `most`, which leaves too little room.
void mark_full(const Weight* loads, std::size_t count, Weight most, SetWord* words) {
  for (std::size_t from = 0; from < count; from += 64) {
    SetWord word = 0;
    const std::size_t here = std::min<std::size_t>(64, count - from);
    for (std::size_t t = 0; t < here; ++t) word |= SetWord{loads[from + t] > most} << t;
    words[from / 64] = word;
  }
}

[[noreturn]] void broken(const MultirateConnection& connection, const std::string& what) {
  throw std::logic_error(fmt::format("multirate connection {} {}", index(connection.id), what));
}

bool comes_before(const MultirateConnection& connection, ConnectionId id) {
  return connection.id < id;
}

}  // namespace

MultirateState::MultirateState(const Structure& structure, const WeightRange& weights)
    : weights_(sound(weights)), loads_(structure) {}

void MultirateState::find_available(std::uint32_t input_switch, Weight weight,
                                    BitSet& middles) const {
  BitSet full(structure().m);
  mark_full(loads_.input_links(input_switch), structure().m, weights_.capacity - weight,
            full.words());
  middles = BitSet::full(structure().m);
  middles -= full;
}

void MultirateState::find_destination_sets(Weight weight, BitMatrix& sets) const {
  for (std::uint32_t j = 0; j < structure().m; ++j) {
    mark_full(loads_.output_links(MiddleId{j}), structure().r2, weights_.capacity - weight,
              sets.row(j));
  }
}

void MultirateState::output_switches_of(const std::vector<OutputId>& outputs,
                                        BitSet& switches) const {
  switches.clear();
  for (const OutputId output : outputs) switches.set(structure().output_switch(output));
}

ConnectionId MultirateState::connect(const MultirateRequest& request, const Route& route) {
  MultirateConnection connection{ConnectionId{next_id_}, request, route};
  enter(loads_, connection);
  connections_.push_back(std::move(connection));
  return ConnectionId{next_id_++};
}

void MultirateState::disconnect(ConnectionId id) {
  const auto found = std::lower_bound(connections_.begin(), connections_.end(), id, comes_before);
  if (found == connections_.end() || found->id != id) {
    throw InvalidRequest(
        fmt::format("there is no live connection {}; disconnect only live connections", index(id)));
  }
  loads_.remove(found->request, found->route);
  connections_.erase(found);
}

// Adds a connection to the loads if it is as it must be.
void MultirateState::enter(LoadTable& loads, const MultirateConnection& connection) const {
  BitSet uncovered(structure().r2);
  output_switches_of(connection.request.outputs, uncovered);
  const Route& route = connection.route;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    const BitSet served = route.served_set(leg);
    if (served.none() || !uncovered.contains(served)) {
      broken(connection, fmt::format("has no use for leg {}", leg));
    }
    uncovered -= served;
  }
  if (uncovered.any()) broken(connection, "is not served at " + to_hex(uncovered));
  const Weight heaviest = loads.add(connection.request, route);
  if (heaviest > weights_.capacity) {
    broken(connection, fmt::format("makes a load of {} of {}", heaviest, weights_.capacity));
  }
}

void MultirateState::verify() const {
  LoadTable recount(structure());
  for (const MultirateConnection& connection : connections_) enter(recount, connection);
  if (recount != loads_) throw std::logic_error("loads differ from the sums of the weights");
  const auto risen = [](const MultirateConnection& a, const MultirateConnection& b) {
    return b.id <= a.id;
  };
  if (std::adjacent_find(connections_.begin(), connections_.end(), risen) != connections_.end()) {
    throw std::logic_error("the numbers of multirate connections do not rise");
  }
}

bool operator==(const MultirateState& a, const MultirateState& b) {
  const auto same = [](const MultirateConnection& c, const MultirateConnection& d) {
    return c.id == d.id && c.route == d.route && c.request.input == d.request.input &&
           c.request.outputs == d.request.outputs && c.request.weight == d.request.weight;
  };
  return a.loads_ == b.loads_ && a.next_id_ == b.next_id_ &&
         std::equal(a.connections_.begin(), a.connections_.end(), b.connections_.begin(),
                    b.connections_.end(), same);
}

}  // namespace flitcast::clos
