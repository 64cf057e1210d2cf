// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bit_matrix.h"
#include "clos/multirate/multirate_state.h"
#include "clos/statement.h"
#include "config/problem.h"

namespace flitcast::clos {

/// A request and the middle switches as it found them.
struct Question {
  MultirateRequest request;
  BitSet wanted;      ///< I.
  BitSet candidates;  ///< The available middle switches.
  BitMatrix busy;     ///< Row j is M_j, for the weight of the request.
};

/// I & M_j1 & ... & M_jx, the output switches of the request that none of these middle switches
/// can serve. Theorem 1: they can carry the request if and only if this set is empty.
BitSet unserved_by(const Question& question, const BitSet& middles);

/// A network state of which the user gives the connections with their routes, the destination
/// sets, or both.
///
/// Routes are taken as given; if none is given, they are found from the destination sets. Sets
/// without connections say nothing about first-stage links: all middle switches are available then,
/// and requests change nothing. Connections take the lowest outputs with space of their switches.
class GivenState {
 public:
  /// @param capacity  Units of weight of a link; 1: no weights.
  /// Throws ConfigError with every problem of the statements: ports, switches and links that do not
  /// exist or have no space, served sets that overlap or do not cover the request, destination sets
  /// that the connections do not have.
  GivenState(const Structure& structure, Weight capacity, const std::vector<Statement>& statements);

  const MultirateState& state() const { return state_; }
  bool has_sets_only() const { return has_sets_only_; }
  /// Row j is M_j, for requests of that weight.
  BitMatrix destination_sets(Weight weight) const;
  /// The number of ways to route the connections with the given destination sets, at most
  /// kMostWays; 0: the routes were given.
  std::uint64_t ways() const { return ways_; }
  static constexpr std::uint64_t kMostWays = 100'000;

  /// The question that a request puts; it changes nothing. Outputs of a request without an input
  /// need not be idle. Throws ConfigError with every problem of the statement.
  Question question_of(const Statement& statement) const;
  /// Enters the connection of a question by a route for it.
  void connect(const Question& question, const Route& route) {
    state_.connect(question.request, route);
  }
  /// Ends the oldest connection of an input; ConfigError if it has none.
  void end(const Statement& statement);

 private:
  /// Throws ConfigError for given sets, of the `known` middle switches, that do not result.
  void compare_sets(const BitSet& known) const;

  MultirateState state_;
  bool has_sets_only_ = false;
  BitMatrix sets_;  ///< As given.
  std::uint64_t ways_ = 0;
};

/// The least capacity of which the weights of all statements are whole parts.
/// Throws std::invalid_argument if it is above kMostCapacity.
Weight capacity_of(const std::vector<Statement>& statements);

}  // namespace flitcast::clos
