// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/network_state.h"

namespace flitcast::clos {

[[noreturn]] inline void violated(const char* invariant, const std::string& what) {
  throw std::logic_error(fmt::format("invariant {} is broken: {}", invariant, what));
}

/// The tables of a network state, recomputed from its connections only.
class Recount {
 public:
  explicit Recount(const NetworkState& state)
      : state_(state),
        structure_(state.structure()),
        destination_sets_(structure_.m, structure_.r2),
        used_(structure_.r1, structure_.m),
        idle_outputs_(BitSet::full(structure_.outputs())),
        occurrences_(structure_.r2, 0) {
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) add(InputId{input});
  }

  void compare() const {
    if (destination_sets_ != state_.destination_sets()) {
      violated("I1", "the sets M_j differ from the routes of the connections");
    }
    for (std::uint32_t i = 0; i < structure_.r1; ++i) {
      BitSet unused = BitSet::full(structure_.m);
      unused -= used_.set_of(i);
      if (unused != state_.available(i)) {
        violated("I1", fmt::format("input switch {} has {} free links, not {}", i, to_hex(unused),
                                   to_hex(state_.available(i))));
      }
    }
    for (std::uint32_t k = 0; k < structure_.r2; ++k) compare_output_switch(k);
    if (carried_ != wanted_) {
      violated("I4", fmt::format("{} links B for a sum of fan-outs of {}", carried_, wanted_));
    }
    if (idle_outputs_ != state_.idle_outputs()) violated("I5", "the idle outputs differ");
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      if (state_.owner(OutputId{output}).has_value() == idle_outputs_.test(output)) {
        violated("I5", fmt::format("output {} and its owner differ", output));
      }
    }
  }

 private:
  void add(InputId input) {
    const Connection& connection = state_.connection(input);
    const bool idle = connection.outputs.empty();
    if (idle != state_.idle_inputs().test(index(input)) || idle != connection.route.empty()) {
      violated("I5", fmt::format("input {} is neither idle nor connected", index(input)));
    }
    for (const OutputId output : connection.outputs) {
      if (!idle_outputs_.test(index(output)) || state_.owner(output) != input) {
        violated("I5",
                 fmt::format("output {} is not input {}'s alone", index(output), index(input)));
      }
      idle_outputs_.reset(index(output));
    }
    add_route(input, connection);
  }

  void add_route(InputId input, const Connection& connection) {
    BitSet uncovered(structure_.r2);
    output_switches_of(state_.structure(), connection.outputs, uncovered);
    wanted_ += uncovered.count();
    const Route& route = connection.route;
    for (std::size_t leg = 0; leg < route.size(); ++leg) {
      const BitSet served = route.served_set(leg);
      if (served.none() || !uncovered.contains(served)) {
        violated("I2",
                 fmt::format("leg {} of input {} serves {}", leg, index(input), to_hex(served)));
      }
      uncovered -= served;
      add_leg(structure_.input_switch(input), index(route.middle(leg)), served);
    }
    if (uncovered.any()) {
      violated("I2", fmt::format("no leg of input {} serves {}", index(input), to_hex(uncovered)));
    }
  }

  void add_leg(std::uint32_t input_switch, std::uint32_t middle, const BitSet& served) {
    if (used_.test(input_switch, middle)) {
      violated("I1", fmt::format("link A({}, {}) carries two connections", input_switch, middle));
    }
    used_.set(input_switch, middle);
    served.for_each([&](std::size_t k) {
      if (destination_sets_.test(middle, k)) {
        violated("I1", fmt::format("link B({}, {}) carries two connections", middle, k));
      }
      destination_sets_.set(middle, k);
      ++occurrences_[k];
      ++carried_;
    });
  }

  void compare_output_switch(std::uint32_t k) const {
    std::uint32_t idle = 0;
    for (std::uint32_t port = 0; port < structure_.n2; ++port) {
      if (idle_outputs_.test(k * structure_.n2 + port)) ++idle;
    }
    if (occurrences_[k] > structure_.n2 - (idle > 0 ? 1U : 0U)) {
      violated("I3", fmt::format("output switch {} is in {} sets M_j", k, occurrences_[k]));
    }
    if (idle != state_.idle_ports(k) || (idle > 0) != state_.open_output_switches().test(k)) {
      violated("I5", fmt::format("output switch {} has {} idle ports, not {}", k, idle,
                                 state_.idle_ports(k)));
    }
  }

  const NetworkState& state_;
  const Structure& structure_;
  BitMatrix destination_sets_;
  BitMatrix used_;
  BitSet idle_outputs_;
  std::vector<std::size_t> occurrences_;  ///< Occurrences of each output switch in the sets M_j.
  std::size_t carried_ = 0;               ///< The sum of |M_j|.
  std::size_t wanted_ = 0;                ///< The sum of |I_p|.
};

/// Throws std::logic_error with the first invariant that does not hold. Shares no code with
/// NetworkState::verify() or the functions that maintain the tables.
inline void require_recounted(const NetworkState& state) { Recount(state).compare(); }

}  // namespace flitcast::clos
