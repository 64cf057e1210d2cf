// SPDX-License-Identifier: Apache-2.0
#include "clos/multirate/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

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

// Calls change(load) for everything that carries the connection.
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

}  // namespace flitcast::clos
