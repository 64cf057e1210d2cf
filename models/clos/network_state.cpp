// SPDX-License-Identifier: Apache-2.0
#include "clos/network_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/sequences.h"

namespace flitcast::clos {
namespace {

Structure buildable(const Structure& structure) {
  require_buildable(structure);
  return structure;
}

auto fields(const Structure& s) { return std::tie(s.m, s.n1, s.r1, s.n2, s.r2); }

// A separate function, so that the code of valid requests stays short.
template <class... Args>
[[noreturn, gnu::cold, gnu::noinline]] void broken(fmt::format_string<Args...> what, Args... args) {
  throw std::logic_error("Clos network: " + fmt::format(what, std::move(args)...));
}

}  // namespace

const char* to_text(Leave leave) {
  constexpr const char* kNames[] = {"kept-link", "link-freed", "closed"};
  return kNames[static_cast<std::size_t>(leave)];
}

NetworkState::NetworkState(const Structure& structure)
    : structure_(buildable(structure)),
      destination_sets_(structure.m, structure.r2),
      available_(structure.r1, BitSet::full(structure.m)),
      idle_inputs_(BitSet::full(structure.inputs())),
      idle_outputs_(BitSet::full(structure.outputs())),
      open_output_switches_(BitSet::full(structure.r2)),
      idle_ports_(structure.r2, structure.n2),
      owners_(structure.outputs(), kNobody),
      connections_(structure.inputs(), Connection{{}, Route(structure.r2)}) {}

OutputId NetworkState::lowest_idle(std::uint32_t output_switch) const {
  const std::uint32_t first = output_switch * structure_.n2;
  for (std::uint32_t output = first; output < first + structure_.n2; ++output) {
    if (idle_outputs_.test(output)) return OutputId{output};
  }
  throw std::invalid_argument(
      fmt::format("output switch {} has no idle port; choose one that has", output_switch));
}

std::optional<InputId> NetworkState::owner(OutputId output) const {
  const InputId owner = owners_[index(output)];
  return owner == kNobody ? std::nullopt : std::optional<InputId>(owner);
}

inline void NetworkState::take_port(InputId input, OutputId output) {
  const std::uint32_t output_switch = structure_.output_switch(output);
  if (owners_[index(output)] != kNobody) broken("output {} is taken twice", index(output));
  owners_[index(output)] = input;
  idle_outputs_.reset(index(output));
  if (--idle_ports_[output_switch] == 0) open_output_switches_.reset(output_switch);
}

inline void NetworkState::take_input_link(std::uint32_t input_switch, MiddleId middle) {
  if (!available_[input_switch].test(index(middle))) {
    broken("link A({}, {}) is taken twice", input_switch, index(middle));
  }
  available_[input_switch].reset(index(middle));
}

// Removes the served switches from the unserved ones, which must contain them. Copies them to
// `entry`, too.
inline void NetworkState::take_leg(std::uint32_t input_switch, MiddleId middle,
                                   const SetWord* served, BitSet& unserved, SetWord* entry) {
  take_input_link(input_switch, middle);
  SetWord* const destinations = destination_sets_.row(index(middle));
  SetWord* const rest = unserved.words();
  const std::size_t words = destination_sets_.stride();
  SetWord all = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const SetWord here = served[w];
    if ((here & (destinations[w] | ~rest[w])) != 0) {
      broken("middle switch {} must not serve {}", index(middle), to_hex(served, structure_.r2));
    }
    destinations[w] |= here;
    rest[w] ^= here;
    entry[w] = here;
    all |= here;
  }
  if (all == 0) broken("middle switch {} serves nothing", index(middle));
}

void NetworkState::connect(InputId input, const std::vector<OutputId>& outputs,
                           const Route& route) {
  BitSet switches(structure_.r2);
  output_switches_of(structure_, outputs, switches);
  connect(input, outputs, switches, route);
}

void NetworkState::connect(InputId input, const std::vector<OutputId>& outputs, BitSet& unserved,
                           const Route& route) {
  if (!idle_inputs_.test(index(input))) broken("input {} is connected twice", index(input));
  idle_inputs_.reset(index(input));
  Connection& connection = connections_[index(input)];
  std::vector<OutputId>& ports = connection.outputs;
  if (ports.capacity() < outputs.size()) ports.reserve(outputs.size());
  for (const OutputId output : outputs) {
    take_port(input, output);
    ports.push_back(output);
  }
  if (!std::is_sorted(ports.begin(), ports.end())) std::sort(ports.begin(), ports.end());
  const std::uint32_t input_switch = structure_.input_switch(input);
  route.for_each_leg([&](MiddleId middle, const SetWord* served) {
    take_leg(input_switch, middle, served, unserved, connection.route.append(middle));
  });
  if (unserved.any()) {
    broken("the route of input {} leaves out output switch {}", index(input), unserved.first());
  }
}

void NetworkState::disconnect(InputId input) {
  if (!has_input(input) || idle_inputs_.test(index(input))) {
    throw InvalidRequest(
        fmt::format("input {} is not connected; disconnect only live connections", index(input)));
  }
  Connection& connection = connections_[index(input)];
  const std::uint32_t input_switch = structure_.input_switch(input);
  for (std::size_t leg = 0; leg < connection.route.size(); ++leg) {
    const std::uint32_t middle = index(connection.route.middle(leg));
    const SetWord* served = connection.route.served(leg);
    SetWord* destinations = destination_sets_.row(middle);
    for (std::size_t w = 0; w < destination_sets_.stride(); ++w) destinations[w] &= ~served[w];
    available_[input_switch].set(middle);
  }
  for (const OutputId output : connection.outputs) free_port(output);
  idle_inputs_.set(index(input));
  connection.outputs.clear();
  connection.route.clear();
}

Leave NetworkState::leave(InputId input, OutputId output) {
  if (!has_input(input) || !has_output(output) || owners_[index(output)] != input) {
    throw InvalidRequest(fmt::format("output {} does not belong to input {}; drop only own outputs",
                                     index(output), index(input)));
  }
  Connection& connection = connections_[index(input)];
  if (connection.outputs.size() == 1) {
    disconnect(input);
    return Leave::kClosed;
  }
  free_port(output);
  auto& outputs = connection.outputs;
  outputs.erase(std::lower_bound(outputs.begin(), outputs.end(), output));
  const std::uint32_t output_switch = structure_.output_switch(output);
  const auto shares_switch = [&](OutputId other) {
    return structure_.output_switch(other) == output_switch;
  };
  if (any_of(outputs, shares_switch)) return Leave::kKeptLink;
  const std::size_t leg = connection.route.leg_to(output_switch);
  const std::uint32_t middle = index(connection.route.middle(leg));
  destination_sets_.reset(middle, output_switch);
  if (connection.route.withdraw(leg, output_switch)) {
    available_[structure_.input_switch(input)].set(middle);
  }
  return Leave::kLinkFreed;
}

void NetworkState::add_port(InputId input, OutputId output) {
  const Route& route = connections_[index(input)].route;
  if (route.leg_to(structure_.output_switch(output)) == route.size()) {
    broken("input {} does not reach the switch of output {}", index(input), index(output));
  }
  insert_port(input, output);
}

void NetworkState::add_link(InputId input, OutputId output, std::size_t leg) {
  Route& route = connections_[index(input)].route;
  const std::uint32_t output_switch = structure_.output_switch(output);
  take_output_link(route.middle(leg), output_switch);
  route.extend(leg, output_switch);
  insert_port(input, output);
}

void NetworkState::add_leg(InputId input, OutputId output, MiddleId middle) {
  const std::uint32_t output_switch = structure_.output_switch(output);
  take_input_link(structure_.input_switch(input), middle);
  take_output_link(middle, output_switch);
  connections_[index(input)].route.add(middle, output_switch);
  insert_port(input, output);
}

void NetworkState::insert_port(InputId input, OutputId output) {
  take_port(input, output);
  auto& outputs = connections_[index(input)].outputs;
  outputs.insert(std::lower_bound(outputs.begin(), outputs.end(), output), output);
}

void NetworkState::free_port(OutputId output) {
  const std::uint32_t output_switch = structure_.output_switch(output);
  owners_[index(output)] = kNobody;
  idle_outputs_.set(index(output));
  ++idle_ports_[output_switch];
  open_output_switches_.set(output_switch);
}

void NetworkState::take_output_link(MiddleId middle, std::uint32_t output_switch) {
  if (destination_sets_.test(index(middle), output_switch)) {
    broken("link B({}, {}) is taken twice", index(middle), output_switch);
  }
  destination_sets_.set(index(middle), output_switch);
}

bool operator==(const NetworkState& a, const NetworkState& b) {
  return fields(a.structure_) == fields(b.structure_) &&
         a.destination_sets_ == b.destination_sets_ && a.available_ == b.available_ &&
         a.idle_inputs_ == b.idle_inputs_ && a.idle_outputs_ == b.idle_outputs_ &&
         a.open_output_switches_ == b.open_output_switches_ && a.idle_ports_ == b.idle_ports_ &&
         a.owners_ == b.owners_ && a.connections_ == b.connections_;
}

}  // namespace flitcast::clos
