// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/search_adversary.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "clos/adversaries/blocking_pressure.h"
#include "clos/adversaries/shrink.h"

namespace flitcast::clos {
namespace {

// A multicast, or without outputs the end of the input's connection.
struct Move {
  InputId input{};
  std::vector<OutputId> outputs{};
};

// A random member of the set, which must not be empty.
std::uint32_t one_of(const BitSet& set, Random& random) {
  const auto count = static_cast<std::uint32_t>(set.count());
  return static_cast<std::uint32_t>(set.nth(draw(random, count)));
}

// A connection to each open output switch with probability 1/2, at least one.
Move random_connect(const NetworkState& state, Random& random) {
  Move move{InputId{one_of(state.idle_inputs(), random)}};
  while (move.outputs.empty()) {
    state.open_output_switches().for_each([&](std::size_t k) {
      if (draw(random, 2) != 0) return;
      move.outputs.push_back(state.lowest_idle(static_cast<std::uint32_t>(k)));
    });
  }
  return move;
}

// A random legal move, a connect or a disconnect with equal probability if both are possible.
Move random_move(const NetworkState& state, Random& random) {
  BitSet live = BitSet::full(state.structure().inputs());
  live -= state.idle_inputs();
  const bool can_connect = state.idle_inputs().any() && state.open_output_switches().any();
  if (can_connect && (live.none() || draw(random, 2) == 0)) return random_connect(state, random);
  return {InputId{one_of(live, random)}};
}

// A walk from the empty network until a request blocks.
class Walk {
 public:
  explicit Walk(const Opponent& opponent)
      : control_(opponent.fresh()), trial_(opponent.context.structure) {}

  // Applies one event, or two if a request is known to block after the first.
  void step(std::size_t samples, Random& random) {
    happen(samples == 1 ? random_move(trial_, random) : best_move(samples, random));
    const Pressure pressure = blocking_pressure(trial_);
    if (!blocked_ && pressure.unusable == trial_.structure().m) happen(final_blow(pressure));
  }

  bool blocked() const { return blocked_; }
  const std::vector<Event>& trace() const { return trace_; }

 private:
  Move best_move(std::size_t samples, Random& random) {
    Move best;
    std::uint32_t best_weight = 0;
    std::uint32_t equals = 0;
    for (std::size_t sample = 0; sample < samples; ++sample) {
      Move move = random_move(trial_, random);
      const std::uint32_t weight = weigh(move);
      if (weight < best_weight) continue;
      equals = weight == best_weight ? equals + 1 : 1;
      best_weight = weight;
      if (draw(random, equals) == 0) best = std::move(move);
    }
    return best;
  }

  // The pressure after the move, which is undone. No move weighs more than a blocked request.
  std::uint32_t weigh(const Move& move) {
    if (move.outputs.empty()) {
      const Connection connection = trial_.connection(move.input);
      trial_.disconnect(move.input);
      const std::uint32_t weight = blocking_pressure(trial_).unusable;
      trial_.connect(move.input, connection.outputs, connection.route);
      return weight;
    }
    if (control_.connect(move.input, move.outputs).blocked()) {
      return std::numeric_limits<std::uint32_t>::max();
    }
    const std::uint32_t weight = blocking_pressure(control_.state()).unusable;
    control_.disconnect(move.input);
    return weight;
  }

  void happen(const Move& move) {
    if (move.outputs.empty()) {
      control_.disconnect(move.input);
      trial_.disconnect(move.input);
      trace_.emplace_back(DisconnectEvent{move.input});
      return;
    }
    const Selection& route = control_.connect(move.input, move.outputs);
    trace_.emplace_back(ConnectEvent{move.input, move.outputs, route});
    blocked_ = route.blocked();
    if (!blocked_) trial_.connect(move.input, move.outputs, route);
  }

  // The request that finds all middle switches unusable.
  Move final_blow(const Pressure& pressure) const {
    std::uint32_t input = pressure.input_switch * trial_.structure().n1;
    while (!trial_.idle_inputs().test(input)) ++input;
    return {InputId{input}, {trial_.lowest_idle(pressure.output_switch)}};
  }

  ConnectionAdmission control_;
  NetworkState trial_;  // A copy of the state that accepts connections of any route.
  std::vector<Event> trace_;
  bool blocked_ = false;
};

}  // namespace

std::optional<std::vector<Event>> find_blocking_sequence(const Opponent& opponent,
                                                         const GuidedSearch& search) {
  if (search.samples == 0 || search.walk == 0) {
    throw std::invalid_argument("a search without samples or events in a walk; take at least 1");
  }
  Random random(search.seed);
  for (std::uint64_t spent = 0; spent < search.events;) {
    Walk walk(opponent);
    for (std::uint64_t e = 0; e < search.walk && spent < search.events && !walk.blocked(); ++e) {
      walk.step(search.samples, random);
      ++spent;
    }
    if (!walk.blocked()) continue;
    if (auto trace = until_blocked(walk.trace(), opponent)) return trace;
  }
  return std::nullopt;
}

}  // namespace flitcast::clos
