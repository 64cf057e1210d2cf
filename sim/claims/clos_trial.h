// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/random.h"
#include "clos/bounds/bounds.h"
#include "clos/given_state.h"
#include "clos/multirate/multirate_admission.h"
#include "clos/strategy.h"
#include "clos/traffic.h"
#include "config/param.h"
#include "config/section.h"
#include "sim/claims/statement.h"
#include "topology/clos_structure.h"

namespace flitcast::claims {

// Helpers of the machines for document 004. Ports and switches have numbers from 1 in parameters
// and figures, as on the page, and from 0 in the models.

/// The structures v(m, n1, r1, n2, r2) and v(m, n, r).
clos::Structure structure_of(std::size_t m, std::size_t n1, std::size_t r1, std::size_t n2,
                             std::size_t r2);
inline clos::Structure structure_of(std::size_t m, std::size_t n, std::size_t r) {
  return structure_of(m, n, r, n, r);
}

/// The numbers in "{1,2,4}" or, each of one digit, "124"; none in "{}".
std::vector<std::size_t> members_in(const std::string& text);
/// The members of a set as a list of numbers from 1.
std::vector<std::size_t> members_of(const BitSet& set);
/// The sets of the rows, as lists.
std::vector<std::vector<std::size_t>> members_of(const BitMatrix& sets);
/// The set of numbers from 1, out of 1 .. size.
BitSet set_of(const std::vector<std::size_t>& members, std::size_t size);
/// The set of the bits of a number, for 1 to 64 members.
BitSet set_of_bits(std::size_t bits, std::size_t size);

// Requests on destination sets.

/// The sets M and I of parameters; all middle switches are available.
/// @param r  Output switches; 0: up to the largest that is named.
clos::Question control_input_of(const Section& parameters, std::size_t r);

/// Random sets, so full that requests take several passes and some are blocked.
clos::Question drawn_input(std::size_t m, std::size_t r, Random& random);

/// The choice of middle switches by a strategy.
clos::Selection selected_by(const std::string& strategy, const clos::Question& input);
/// The number of differences between a choice and Theorem 1: a request is blocked where it can be
/// served, served where it cannot, or served over links that are in use.
std::size_t route_faults(const clos::Selection& selection, const clos::Question& input);

/// Adds the middle switches of a route, and their served sets, under these names.
void add_route(const clos::Route& route, const std::string& takes, const std::string& serves,
               Figures& figures);

// States of networks.

/// A route to an output switch over one middle switch.
clos::Route route_over(std::size_t middle, std::size_t k, std::size_t output_switches);

/// Enters a connection by a route into a state. At every output switch it takes the first port with
/// space, from `port` on. Throws std::logic_error for a port or a link that does not exist or has
/// no space. Without a route nothing changes.
void connect_by(clos::MultirateState& state, std::size_t input, const clos::Route& route,
                clos::Weight weight = 1, std::size_t port = 0);

/// The state as a request of a weight from an input switch to some output switches finds it.
clos::Question control_input_in(const clos::MultirateState& state, std::size_t input_switch,
                                clos::Weight weight, const BitSet& wanted);

/// Random requests on a network.
struct Traffic {
  clos::Structure structure;
  clos::WeightRange weights{};
  std::size_t most_middles = 0;  ///< Most middle switches of a connection; 0: any.
  std::size_t most_fan_out = 0;  ///< Most output switches of a connection; 0: any.
  std::uint64_t seed = 1;
  std::uint64_t events = 1000;
  std::string strategy = "S1";
  clos::Weight most_weight = 0;  ///< 0: the capacity.
  /// Stops after this number of requests; 0: after all events.
  std::uint64_t most_requests = 0;
};

/// Plays random requests, and calls visit(state) after every event.
clos::TrafficCounts play(const Traffic& traffic,
                         const std::function<void(const clos::MultirateState& state)>& visit = {});

/// The smallest m for which v(m, n, r) never blocks under a strategy, or in a sense that
/// check_middles() knows by name, by a search of all states; absent if there are too many states.
std::optional<std::uint32_t> searched_middles(std::size_t n, std::size_t r,
                                              const std::string& strategy);

// Weights.

/// The rate of a parameter; 1 if there is no such parameter.
clos::Rate rate_of(const Section& parameters, const std::string& key);

/// Rates b <= w <= 1 as whole numbers.
struct Units {
  std::uint64_t capacity = 1;
  std::uint64_t b = 1;
  std::uint64_t w = 1;

  std::uint64_t space() const { return capacity - w; }     ///< 1 - w.
  std::uint64_t per_link() const { return capacity / b; }  ///< K.
  /// The same b, and w after `step` of `steps` equal steps from b to 1.
  Units at_step(std::uint64_t step, std::uint64_t steps) const {
    return {capacity, b, b + (capacity - b) * step / steps};
  }
  clos::WeightRange range() const {
    return {static_cast<clos::Weight>(capacity), static_cast<clos::Weight>(b)};
  }
};

/// The units of the parameters b and w.
/// @param finest  The capacity is about this many units, or more.
Units units_of(const Section& parameters, std::uint64_t finest);

/// A valid bound on T(n1, w, x): every link that is too full for w has a connection of another
/// port, and all such links together carry at most x (n1 - w).
std::uint64_t safe_unavailable(std::uint64_t n1, std::uint64_t x, const Units& units);

}  // namespace flitcast::claims
