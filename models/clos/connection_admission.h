// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "clos/network_state.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Which of the available middle switches a request may use.
enum class Candidates {
  kAll,  ///< All available middle switches.
  /// The first R(n2 - 1, r', x) + 1 of them, r' the fan-out of the request, as the lecture
  /// presumes. Keeps the guarantee of Theorem 3 and shortens every pass.
  kFirst,
};

/// How a port joins a live connection that does not yet reach its output switch.
enum class JoinPolicy {
  /// The port joins by the first middle switch of the route with a free link, else by a new one.
  kIncremental,
  kBounded,  ///< The same, but with at most x middle switches per connection.
  /// Releases the connection and requests it again; on failure the old route is restored.
  kReroute,
};

/// The result of a join.
enum class Join {
  kLocal,     ///< The connection reaches the output switch already; always succeeds.
  kReuse,     ///< The connection reaches it by a middle switch of the route.
  kNew,       ///< The connection reaches it by an additional middle switch.
  kRerouted,  ///< The connection reaches it on a new route.
  kBlocked,
};

/// "ok-local", "ok-reuse", "ok-new", "ok-reroute" or "blocked".
const char* to_text(Join join);

/// Parameters of admission control.
struct AdmissionParams {
  /// x, the limit on middle switches per connection; 0: none. kFirst and kBounded need one. The
  /// strategy, made with the same x, limits the passes of a request.
  std::size_t pass_limit = 0;
  Candidates candidates = Candidates::kAll;
  JoinPolicy join = JoinPolicy::kIncremental;
};

/// Throws std::invalid_argument for a missing strategy, and for params that lack their limit.
void require_sound(const Strategy* strategy, const AdmissionParams& params);

/// Removes all but the smallest `members` members of a set.
void keep_first(std::size_t members, BitSet& set);

/// Admits or blocks connections in a three-stage Clos network: a strategy chooses their middle
/// switches, the state stores them.
///
/// With m of Theorem 3, strategy S1 and its x as pass limit, no valid request in any history of
/// connects and disconnects is blocked. Incremental joins break the limit x; rerouting keeps it.
/// Time of a request: that of the strategy, plus O(m / 64 + x r2 / 64 + ports). After warm-up,
/// requests with ascending outputs allocate nothing.
class ConnectionAdmission {
 public:
  /// Throws std::invalid_argument for a structure that cannot be built and for params that lack
  /// their limit.
  ConnectionAdmission(const Structure& structure, std::unique_ptr<Strategy> strategy,
                      const AdmissionParams& params = {});

  const NetworkState& state() const { return state_; }

  /// Serves (input, outputs); throws InvalidRequest if it is not valid. The returned selection
  /// holds the result and is valid until the next request; a blocked request changes nothing.
  const Selection& connect(InputId input, const std::vector<OutputId>& outputs);
  void disconnect(InputId input) { state_.disconnect(input); }
  Leave leave(InputId input, OutputId output) { return state_.leave(input, output); }
  /// Adds an idle output to a live connection; throws InvalidRequest otherwise. A blocked join
  /// changes nothing.
  Join join(InputId input, OutputId output);

 private:
  /// Selects middle switches for the output switches in wanted_.
  void select(InputId input);
  const BitSet& candidates_of(InputId input);
  Join join_incrementally(InputId input, OutputId output);
  Join join_by_rerouting(InputId input, OutputId output);

  NetworkState state_;
  std::unique_ptr<Strategy> strategy_;
  AdmissionParams params_;
  /// The number of candidates of a request for each fan-out r', used with kFirst.
  std::vector<std::size_t> candidate_limits_;
  BitSet wanted_;      ///< The output switches of the current request; empty between requests.
  BitSet candidates_;  ///< Used with kFirst only.
  Selection selection_;
  Connection released_;  ///< The connection that join_by_rerouting() restores on failure.
};

}  // namespace flitcast::clos
