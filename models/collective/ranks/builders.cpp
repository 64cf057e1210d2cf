// SPDX-License-Identifier: Apache-2.0
#include "collective/ranks/builders.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

constexpr double kMostSegments = 65536;

}  // namespace

std::size_t floor_log2(std::size_t p) { return ceil_log(2, p / 2 + 1); }

std::size_t popcounts_below(std::size_t p) {
  std::size_t sum = 0;
  for (std::size_t bit = 1; bit < p; bit *= 2) {
    sum += p / (2 * bit) * bit + std::max(p % (2 * bit), bit) - bit;
  }
  return sum;
}

std::size_t segments(const Section& workload, const Demand&) {
  const std::size_t longest = workload.has("segment") ? workload.count("segment") : 0;
  if (longest == 0) return workload.count("segments");
  if (workload.given("segments")) {
    workload.fail("segment", "the number of segments is given", "leave one of the two out");
  }
  return (workload.count("length") + longest - 1) / longest;
}

Keys segment_keys() {
  return {
      Param::integer("segments", "blocks", "Into which the data are cut.", 1, kMostSegments)
          .defaults_to(8),
      // The key is not dumped by default, so that results of experiments without it stay the same.
      Param::integer("segment", "flits",
                     "Length of the blocks into which the data are cut, which are as even as "
                     "possible and no longer; 0: as many blocks as `segments` says.",
                     0, kMostSegments)
          .defaults_to(0)
          .dumped_if_changed()};
}

Demand demand_of_ranks(const CollectiveContext& context) {
  Demand demand{context.operation, context.rank_count(), context.source};
  demand.receivers = context.receivers;
  require(source_exists(context.topology, context.source));
  if (index(context.source) < demand.nodes) return demand;
  throw *violated("there is no rank " + std::to_string(index(context.source)) + " of " +
                      std::to_string(demand.nodes),
                  "use a root among them", PreconditionError::Subject::kSource);
}

Precondition few_enough_sends(const CollectiveContext& context, const Claim& claim) {
  const std::size_t items = claim.total_blocks.value_or(0);
  return few_enough_sends(context.topology, std::max(claim.transmissions.value_or(0), items),
                          "use a smaller network, or fewer nodes");
}

CollectiveEntry rank_entry(const char* name, const char* summary, std::vector<Operation> operations,
                           CollectiveMaker make, Keys keys) {
  CollectiveEntry entry{{name, summary, std::move(keys), make}, std::move(operations)};
  entry.on_ranks = entry.operations;
  entry.self_timed = none_of(entry.operations, [](Operation operation) {
    return Demand{operation, 2}.adds_up();
  });
  return entry;
}

}  // namespace flitcast
