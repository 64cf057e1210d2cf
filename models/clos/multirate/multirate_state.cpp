// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/multirate_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "clos/network_state.h"
#include "config/wording.h"

namespace flitcast::clos {
namespace {

Structure weighable(const Structure& structure) {
  require_buildable(structure);
  const std::uint64_t links = structure.m * (std::uint64_t{structure.r1} + structure.r2);
  if (links > LoadTable::kMostLinks) {
    throw std::invalid_argument(fmt::format("{} has {} links to weigh; take at most {}",
                                            to_text(structure), links, LoadTable::kMostLinks));
  }
  return structure;
}

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

// Sets bit t of `words` if load t is above `most`, which leaves too little space.
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

std::string too_full(const char* port, std::uint32_t number, Weight load,
                     const WeightRange& weights) {
  return fmt::format("{} {} carries {} of {}; take at most {} more", port, number, load,
                     weights.capacity, weights.capacity - load);
}

}  // namespace

LoadTable::LoadTable(const Structure& structure)
    : structure_(weighable(structure)),
      inputs_(structure.inputs(), 0),
      outputs_(structure.outputs(), 0),
      input_links_(std::size_t{structure.r1} * structure.m, 0),
      output_links_(std::size_t{structure.m} * structure.r2, 0) {}

std::uint64_t LoadTable::output_link_sum() const {
  return std::accumulate(output_links_.begin(), output_links_.end(), std::uint64_t{0});
}

Weight LoadTable::add(const MultirateRequest& request, const Route& route) {
  Weight heaviest = 0;
  for_each(request, route, [&](Weight& load) {
    load += request.weight;
    heaviest = std::max(heaviest, load);
  });
  return heaviest;
}

void LoadTable::remove(const MultirateRequest& request, const Route& route) {
  for_each(request, route, [&](Weight& load) { load -= request.weight; });
}

// Calls change(load) for every port and link that carries the connection.
template <class Change>
void LoadTable::for_each(const MultirateRequest& request, const Route& route, Change&& change) {
  change(inputs_[index(request.input)]);
  for (const OutputId output : request.outputs) change(outputs_[index(output)]);
  Weight* from_input =
      input_links_.data() + std::size_t{structure_.input_switch(request.input)} * structure_.m;
  for (std::size_t leg = 0; leg < route.size(); ++leg) {
    const std::uint32_t middle = index(route.middle(leg));
    change(from_input[middle]);
    Weight* to_outputs = output_links_.data() + std::size_t{middle} * structure_.r2;
    route.served_set(leg).for_each([&](std::size_t k) { change(to_outputs[k]); });
  }
}

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

// Adds a connection to the loads, if it is consistent.
void MultirateState::enter(LoadTable& loads, const MultirateConnection& connection) const {
  BitSet uncovered(structure().r2);
  output_switches_of(structure(), connection.request.outputs, uncovered);
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
    throw std::logic_error("the numbers of multirate connections do not ascend");
  }
}

void MultirateState::require_valid(const MultirateRequest& request) const {
  std::vector<std::string> problems;
  const Weight weight = request.weight;
  // A weight out of range would only add the same problem for every port.
  const bool in_range = weight >= weights_.least && weight <= weights_.capacity;
  if (!in_range) {
    problems.push_back(
        fmt::format("the weight is {}; take {} to {}", weight, weights_.least, weights_.capacity));
  }
  const std::uint32_t input = index(request.input);
  if (input >= structure().inputs()) {
    problems.push_back(no_such_port("input", input, structure().inputs()));
  } else if (in_range && !fits(request.input, weight)) {
    problems.push_back(too_full("input", input, loads_.load(request.input), weights_));
  }
  if (request.outputs.empty()) {
    problems.emplace_back("the request has no outputs; name at least one");
  }
  std::vector<OutputId> outputs = request.outputs;
  std::sort(outputs.begin(), outputs.end());
  for (std::size_t at = 0; at < outputs.size(); ++at) {
    const std::uint32_t output = index(outputs[at]);
    const bool again = at > 0 && outputs[at] == outputs[at - 1];
    if (again) {
      problems.push_back(fmt::format("output {} is named twice; name it once", output));
    } else if (output >= structure().outputs()) {
      problems.push_back(no_such_port("output", output, structure().outputs()));
    } else if (in_range && !fits(outputs[at], weight)) {
      problems.push_back(too_full("output", output, loads_.load(outputs[at]), weights_));
    }
  }
  if (!problems.empty()) throw InvalidRequest(joined(problems, "; "));
}

}  // namespace flitcast::clos
