// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/nonblocking_check.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "clos/experiments/random_split.h"
#include "clos/strategies/named.h"

namespace flitcast::clos {
namespace {

// A separate stream, because the traffic of a seed must not depend on the background.
constexpr std::uint64_t kBackgroundStream = 1;

}  // namespace

NonblockingCheck check_nonblocking(const Structure& structure, std::size_t pass_limit,
                                   const NonblockingCheckParams& params) {
  std::unique_ptr<Strategy> strategy =
      std::make_unique<Named>("S1", structure.m, structure.r2, pass_limit);
  const RandomSplit* background = nullptr;
  if (params.random_background) {
    const std::uint64_t seed = Random::stream(params.traffic.seed, kBackgroundStream).next();
    auto split = std::make_unique<RandomSplit>(std::move(strategy), pass_limit, seed);
    background = split.get();
    strategy = std::move(split);
  }
  ConnectionAdmission control(structure, std::move(strategy), {pass_limit, params.candidates});
  RequestGenerator generator(structure, params.traffic);
  NonblockingCheck check;
  while (check.counts.requests < params.requests) {
    // An event is at most one request.
    const std::uint64_t events = params.requests - check.counts.requests;
    const TrafficCounts more = run_traffic(control, generator, events);
    check.counts.requests += more.requests;
    check.counts.blocked += more.blocked;
    check.counts.most_passes = std::max(check.counts.most_passes, more.most_passes);
  }
  control.state().verify();
  if (background != nullptr) check.background = background->split_count();
  return check;
}

}  // namespace flitcast::clos
