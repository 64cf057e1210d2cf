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
  kAll,    ///< All of them.
  kFirst,  ///< The first R(n2 - 1, r', x) + 1 of them, r' the request's fan-out: what the lecture
           ///< presumes. Keeps the guarantee of Theorem 3 and shortens every pass.
};

/// How a port joins a live connection that does not reach its output switch yet.
enum class JoinPolicy {
  kIncremental,  ///< By the first middle switch of the route with a free link, else a new one.
  kBounded,      ///< As kIncremental, but never more than x middle switches per connection.
  kReroute,      ///< Release, request all anew; on failure the old route stays, exactly.
};

/// How a join ended.
enum class Join {
  kLocal,     ///< The connection reaches the output switch already; always succeeds.
  kReuse,     ///< Through a middle switch of the route.
  kNew,       ///< Through a middle switch more.
  kRerouted,  ///< On a new route.
  kBlocked,
};

/// "ok-local", "ok-reuse", "ok-new", "ok-reroute" or "blocked".
const char* to_text(Join join);

/// How control treats requests.
struct AdmissionParams {
  /// x, the limit on middle switches per connection; 0: none. kFirst and kBounded need one. The
  /// passes of a request are limited by the strategy, which is made with the same x.
  std::size_t pass_limit = 0;
  Candidates candidates = Candidates::kAll;
  JoinPolicy join = JoinPolicy::kIncremental;
};

/// Throws std::invalid_argument for no strategy, and for params that lack their limit.
void require_sound(const Strategy* strategy, const AdmissionParams& params);

/// Admits connections to a three-stage Clos network or finds them blocked: a strategy chooses their
/// middle switches, the state keeps them.
///
/// With m of Theorem 3, strategy S1 and a pass limit of its x no valid request of a history of
/// connect and disconnect is ever blocked. Incremental joins void the limit x; reroute keeps it.
/// Time of a request: that of the strategy, plus O(m / 64 + x r2 / 64 + ports). Once warm, requests
/// with rising outputs allocate nothing.
class ConnectionAdmission {
 public:
  /// Throws std::invalid_argument for a structure that cannot be built and for params that lack
  /// their limit.
  ConnectionAdmission(const Structure& structure, std::unique_ptr<Strategy> strategy,
                      const AdmissionParams& params = {});

  const NetworkState& state() const { return state_; }

  /// Serves (input, outputs); InvalidRequest if it is not valid. The verdict is in the selection,
  /// which is good until the next request; a blocked request changes nothing.
  const Selection& connect(InputId input, const std::vector<OutputId>& outputs);
  void disconnect(InputId input) { state_.disconnect(input); }
  Leave leave(InputId input, OutputId output) { return state_.leave(input, output); }
  /// Adds an idle output to a live connection; InvalidRequest otherwise. A blocked join changes
  /// nothing.
  Join join(InputId input, OutputId output);

 private:
  /// For the output switches of wanted_.
  void select(InputId input);
  const BitSet& candidates_of(InputId input);
  Join join_incrementally(InputId input, OutputId output);
  Join join_by_rerouting(InputId input, OutputId output);

  NetworkState state_;
  std::unique_ptr<Strategy> strategy_;
  AdmissionParams params_;
  /// With kFirst: how many candidates a request of fan-out r' gets, for each r'.
  std::vector<std::size_t> candidate_limits_;
  BitSet wanted_;      ///< The output switches of a request; empty between two of them.
  BitSet candidates_;  ///< With kFirst.
  Selection selection_;
  Connection released_;  ///< What join_by_rerouting() restores on failure.
};

}  // namespace flitcast::clos
