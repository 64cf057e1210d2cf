// SPDX-License-Identifier: Apache-2.0
#include "conformance/rank_rows.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "base/flit.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/verification.h"
#include "conformance/collective_network_rows.h"
#include "conformance/text.h"
#include "routing/e_cube.h"
#include "topology/grid.h"

namespace flitcast::conformance {
namespace {

/// An algorithm by its name in the table.
struct RankEntry {
  const char* name;
  Operation operation;
  const char* algorithm;  ///< The name in experiments.
};

constexpr const char* kPipelined = "bcast_pipelined";

constexpr RankEntry kRankEntries[] = {
    {"bcast_binomial", Operation::kBroadcast, "binomial"},
    {"bcast_scatter_allgather", Operation::kBroadcast, "scatter_all_gather"},
    {kPipelined, Operation::kBroadcast, "pipelined_chain"},
    {"reduce_binomial", Operation::kReduce, "binomial"},
    {"scan_hillis", Operation::kScan, "hillis_steele"},
    {"scatter_binomial", Operation::kScatter, "binomial"},
    {"gather_binomial", Operation::kGather, "binomial"},
    {"allgather_ring", Operation::kGossip, "ring"},
    {"allgather_recdbl", Operation::kGossip, "recursive_doubling"},
    {"allgather_bruck", Operation::kGossip, "bruck"},
    {"a2a_direct", Operation::kAllToAllScatter, "shift_exchange"},
    {"a2a_xor", Operation::kAllToAllScatter, "pairwise_exchange"},
    {"a2a_bruck", Operation::kAllToAllScatter, "bruck"},
    {"barrier_dissemination", Operation::kBarrier, "dissemination"},
    {"barrier_tree", Operation::kBarrier, "binomial"},
    {"reduce_scatter_ring", Operation::kReduceScatter, "ring"},
    {"reduce_scatter_halving", Operation::kReduceScatter, "recursive_halving"},
    {"allreduce_ring", Operation::kAllReduce, "ring"},
    {"allreduce_recdbl", Operation::kAllReduce, "recursive_doubling"},
    {"allreduce_rabenseifner", Operation::kAllReduce, "rabenseifner"},
};

const RankEntry& rank_entry_of(const std::string& name) {
  const auto found = std::find_if(std::begin(kRankEntries), std::end(kRankEntries),
                                  [&](const RankEntry& entry) { return entry.name == name; });
  if (found == std::end(kRankEntries)) throw std::invalid_argument("no algorithm \"" + name + "\"");
  return *found;
}

using Words = std::vector<std::string>;

/// The algorithm that the first word names; the second word may give the number of segments.
Collective collective_of(const Topology& topology, const Words& words) {
  const RankEntry& entry = rank_entry_of(words.front());
  const CollectiveEntry& made = *find(collectives(), entry.algorithm);
  std::map<std::string, nlohmann::json> keys;
  for (const Param& param : made.params()) keys[param.key] = param.fallback;
  if (words.size() > 1) {
    const char* segments = after(words[1], "S=");
    if (words.size() > 2 || segments == nullptr || entry.name != kPipelined) {
      throw std::invalid_argument("\"" + words[1] + "\" means nothing to " + entry.name);
    }
    keys["segments"] = to_count(segments);
  }
  CollectiveContext context{topology};
  context.operation = entry.operation;
  return made.make(Section::of("workload", keys), context);
}

std::size_t number_in(const std::string& text, const std::string& name) {
  const char* number = after(text, name);
  if (number == nullptr) throw std::invalid_argument("\"" + text + "\" is no " + name + "NUMBER");
  return to_count(number);
}

Verification verified(const Topology& topology, const Collective& made) {
  return verify(topology, made.plan.schedule, made.demand, made.discipline, made.plan.claim);
}

std::string figure(const std::string& metric, const Verification& verification) {
  if (metric == "rounds") return std::to_string(verification.rounds);
  if (metric == "serial_blocks") return std::to_string(verification.serial_blocks);
  if (metric == "total_blocks") return std::to_string(verification.total_blocks);
  throw std::invalid_argument("no metric \"" + metric + "\"");
}

void expect(const std::string& what, const std::string& expected, const std::string& got,
            std::vector<Difference>& differences) {
  if (expected != got) differences.push_back({what, expected, got});
}

void expect_legal(const Verification& verification, std::vector<Difference>& differences) {
  if (verification.legal()) return;
  differences.push_back({"schedule", "legal and as claimed", verification.violations.front().text});
}

/// "Q4" with "bcast_binomial block=16 ts=100 td=2 tm=1 WH".
struct TimedCase {
  Hypercube cube;
  Collective collective;
  CostModel cost;  ///< The length is that of a chunk or a contribution, all blocks of it.
  Switching switching;
};

Switching switching_of(const std::string& name) {
  if (name == "WH" || name == "VCT") return Switching::kWormhole;
  if (name == "SF") return Switching::kStoreAndForward;
  throw std::invalid_argument("no switching \"" + name + "\"");
}

TimedCase timed_case(const Row& row) {
  Words words = split(row["instance"], ' ');
  if (words.size() < 6) throw std::invalid_argument("no times in \"" + row["instance"] + "\"");
  const Words times(words.end() - 5, words.end());
  words.resize(words.size() - 5);
  Hypercube cube(number_in(row["topology"], "Q"));
  Collective made = collective_of(cube, words);
  const std::uint64_t length = number_in(times[0], "block=") * made.demand.blocks();
  return {
      std::move(cube),
      std::move(made),
      {number_in(times[1], "ts="), number_in(times[2], "td="), number_in(times[3], "tm="), length},
      switching_of(times[4])};
}

std::uint64_t analytic_time(const TimedCase& one, const Demand& demand) {
  const ECube routing(one.cube, ECube::Order::kMostSignificantFirst, 1);
  const Schedule& schedule = one.collective.plan.schedule;
  const std::optional<MessagePaths> mode = paths_of(one.cube, routing, schedule);
  return analytic_cycles(one.cost, one.switching, demand, schedule, mode.value(),
                         verified(one.cube, one.collective));
}

/// Uses the table's lengths: an all-reduce of whole vectors has messages of one block.
std::uint64_t time_of_table(const TimedCase& one) {
  Demand demand = one.collective.demand;
  if (demand.is_union()) demand.operation = Operation::kAllReduce;
  return analytic_time(one, demand);
}

bool fits_packets(const TimedCase& one) {
  const auto [demand, discipline, plan] = one.collective;
  return one.cost.length <= kMaxPacketLength &&
         longest_message(demand, plan.schedule, static_cast<std::uint32_t>(one.cost.length)) <=
             kMaxPacketLength;
}

void play_timed(TimedCase one, std::vector<Difference>& differences) {
  if (!fits_packets(one)) return;
  one.cost = feasible(one.cost);
  const auto& [demand, discipline, plan] = one.collective;
  const NetworkOutcome outcome =
      play_apart({one.cube, plan.schedule, demand, one.switching, one.cost});
  expect("network", "an end", outcome.finished ? "an end" : "a standstill", differences);
  expect("network cycles", std::to_string(analytic_time(one, demand)),
         std::to_string(outcome.cycles), differences);
  expect("wrong chunks", "0", std::to_string(outcome.wrong_chunks), differences);
}

}  // namespace

Verdict rank_row(const Row& row, Level) {
  const Grid line =
      mesh({number_in(row["topology"], "p=")});  // Any network of p nodes is suitable.
  const Verification verification =
      verified(line, collective_of(line, split(row["instance"], ' ')));
  std::vector<Difference> differences;
  expect_legal(verification, differences);
  std::string got;
  for (const std::string& metric : split(row["metric"], ';')) {
    got += (got.empty() ? "" : ";") + figure(metric, verification);
  }
  expect(row["metric"], row["expected"], got, differences);
  return Verdict::of(std::move(differences));
}

Verdict rank_time_row(const Row& row, Level level) {
  if (row["metric"] != "time") throw std::invalid_argument("no metric \"" + row["metric"] + "\"");
  const TimedCase one = timed_case(row);
  std::vector<Difference> differences;
  expect_legal(verified(one.cube, one.collective), differences);
  expect("time", row["expected"], std::to_string(time_of_table(one)), differences);
  const bool plays = level == Level::kNetwork || level == Level::kBoth;
  if (plays && differences.empty()) play_timed(one, differences);
  return Verdict::of(std::move(differences));
}

}  // namespace flitcast::conformance
