// SPDX-License-Identifier: Apache-2.0
#include "traffic/chakra_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

#include "base/flit.h"
#include "base/sequences.h"
#include "collective/cost.h"
#include "collective/precondition.h"
#include "config/wording.h"
#include "topology/grid.h"

namespace flitcast {
namespace {

/// A comm_type of the schema with a single operation.
struct CollectiveType {
  std::int64_t number;
  const char* name;
  Operation operation;
};

constexpr std::int64_t kReduceScatterType = 7;
/// The value of the key that replays a reduce-scatter as a reduce and then a scatter of the sum.
constexpr const char* kReduceThenScatter = "reduce_then_scatter";

constexpr std::array<CollectiveType, 9> kTypes{{
    {0, "all_reduce", Operation::kAllReduce},
    {1, "reduce", Operation::kReduce},
    {2, "all_gather", Operation::kGossip},
    {3, "gather", Operation::kGather},
    {4, "scatter", Operation::kScatter},
    {5, "broadcast", Operation::kBroadcast},
    {6, "all_to_all", Operation::kAllToAllScatter},
    {kReduceScatterType, "reduce_scatter", Operation::kReduceScatter},
    {9, "barrier", Operation::kBarrier},
}};

const CollectiveType* type_of(std::int64_t number) {
  return first_where(kTypes, [&](const CollectiveType& known) { return known.number == number; });
}

std::string key_of(const CollectiveType& type) { return std::string("collectives.") + type.name; }

/// Type 8 is also a reduce-scatter, with blocks of equal length.
std::int64_t without_variants(std::int64_t type) { return type == 8 ? kReduceScatterType : type; }

/// The operations of a comm_type, in the order in which they are replayed.
std::vector<std::int64_t> steps_of(std::int64_t given, const Section& workload) {
  const std::int64_t type = without_variants(given);
  if (type != kReduceScatterType) return {type};
  if (workload.text(key_of(*type_of(type))) == kReduceThenScatter) return {1, 4};
  return {type};
}

std::string lacks_it(std::size_t rank) {
  return fmt::format("rank {} has no such collective", rank);
}

bool are_one_operation(const ChakraCollectives::Part& a, const ChakraCollectives::Part& b) {
  return without_variants(a.type) == without_variants(b.type) && a.bytes == b.bytes;
}

/// The bytes of a message with these items in a collective whose comm_size is `bytes`.
std::uint64_t bytes_of(const Demand& demand, const Items& items, std::uint64_t bytes) {
  const bool shared =
      demand.operation == Operation::kAllToAllScatter || demand.operation == Operation::kScatter;
  const std::uint64_t chunk = shared ? (bytes + demand.nodes - 1) / demand.nodes : bytes;
  return message_length(demand, items, chunk);
}

/// The collective between `ranks` ranks by an algorithm, independent of the topology.
Collective made_by(const CollectiveEntry& entry, Operation operation, std::size_t ranks) {
  const Grid line = mesh({ranks});
  CollectiveContext context{line};
  context.ports = 1;
  context.operation = operation;
  std::map<std::string, nlohmann::json> keys;
  for (const Param& param : entry.params()) keys[param.key] = param.fallback;
  return entry.make(Section::of("workload", std::move(keys)), context);
}

/// The cycles in which a rank adds up a byte; 0: no time.
double cycles_per_byte(const Section& workload) {
  double rate = workload.number("combine");  // Bytes per ns.
  if (rate == 0) rate = workload.number("compute.memory") / 3;
  return rate == 0 ? 0 : static_cast<double>(workload.count("clock_mhz")) / 1000 / rate;
}

/// True if the algorithm sends messages between ranks on any network, one at a time.
bool is_between_ranks(const CollectiveEntry& entry, Operation operation) {
  if (!entry.carries_out(operation)) return false;
  try {
    const Discipline discipline = made_by(entry, operation, 2).discipline;
    return discipline.switching == Switching::kAnyNetwork && !discipline.multicast;
  } catch (const PreconditionError&) {
    return false;
  }
}

}  // namespace

MessagePacking::MessagePacking(const Section& workload)
    : flit_bytes_(workload.count("flit_bytes")), mtu_(workload.count("mtu")) {
  const std::uint64_t most = (kMaxPacketLength - 1) * flit_bytes_;
  if (mtu_ <= most) return;
  workload.fail(
      "mtu",
      fmt::format("packets of {} bytes would have more than {} flits", mtu_, kMaxPacketLength),
      fmt::format("make it at most {}, or flits wider", most));
}

TraceTask MessagePacking::packet(TraceTask base, NodeId to, std::uint64_t bytes) const {
  base.destination = to;
  base.length = static_cast<std::uint32_t>(1 + (bytes + flit_bytes_ - 1) / flit_bytes_);
  return base;
}

void MessagePacking::add(TraceBuilder& builder, std::uint64_t id, TraceTask base, NodeId to,
                         std::uint64_t bytes, std::uint32_t begin,
                         const std::vector<std::uint32_t>& ends) const {
  std::uint64_t left = bytes;
  do {
    const std::uint64_t part = std::min(left, mtu_);
    builder.add_part(id, packet(base, to, part));
    builder.add_dependency({begin, builder.last()});
    for (const std::uint32_t end : ends) builder.add_dependency({builder.last(), end});
    left -= part;
  } while (left > 0);
}

std::vector<Param> packing_params() {
  return {
      Param::integer("flit_bytes", "bytes", "Payload of a flit.", 1, 65536)
          .defaults_to(16)
          .follows(kFlitBytes),
      Param::integer("mtu", "bytes",
                     "Largest payload of a packet; longer messages are sent as several packets.", 1,
                     1'000'000)
          .defaults_to(4096)};
}

ChakraCollectives::ChakraCollectives(const Section& workload, std::vector<NodeId> places,
                                     const MessagePacking& packing, TraceBuilder& builder)
    : workload_(workload),
      places_(std::move(places)),
      packing_(packing),
      builder_(builder),
      cycles_per_byte_(cycles_per_byte(workload)),
      everyone_(numbers(places_.size())) {
  ProblemList problems;
  for (const Section& group : workload_.sections("groups")) {
    std::vector<std::size_t> ranks = named_ranks(group, places_.size(), problems);
    if (!members_.emplace(group.text("name"), std::move(ranks)).second) {
      problems.add(group.problem("name", quoted(group.text("name")) + " is another group's",
                                 "give each group a name of its own"));
    }
  }
  problems.throw_if_any();
}

bool ChakraCollectives::knows(std::int64_t type) {
  return type_of(without_variants(type)) != nullptr;
}

void ChakraCollectives::add(const std::string& group, const Part& part) {
  PartsOfRanks& parts = parts_[group];
  parts.resize(places_.size());
  parts[part.rank].push_back(part);
}

void ChakraCollectives::expand(ProblemList& problems) {
  for (const auto& [group, parts] : parts_) {
    if (!belong_together(group, parts, problems)) continue;
    const std::vector<std::size_t>& ranks = *members(group);
    for (std::size_t i = 0; i < parts[ranks.front()].size(); ++i) {
      const Parts together = mapped(ranks, [i, &all = parts](auto rank) { return all[rank][i]; });
      problems.attempt([&] { replay(together); });
    }
  }
}

const std::vector<std::size_t>* ChakraCollectives::members(const std::string& group) const {
  const auto known = members_.find(group);
  if (known != members_.end()) return &known->second;
  return group.empty() || members_.empty() ? &everyone_ : nullptr;
}

bool ChakraCollectives::belong_together(const std::string& group, const PartsOfRanks& parts,
                                        ProblemList& problems) const {
  const std::vector<std::size_t>* const ranks = members(group);
  bool good = true;
  const auto complain = [&](const Part& part, const std::string& what) {
    problems.add(builder_.problem(part.begin, "", builder_.name(part.begin) + ": " + what,
                                  "give all ranks of a group the same collectives in the same "
                                  "order, or name its ranks in workload.groups"));
    good = false;
  };
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const bool is_member = ranks != nullptr && contains(*ranks, rank);
    if (is_member || parts[rank].empty()) continue;
    complain(parts[rank].front(),
             fmt::format("rank {} is not in the group {}", rank, quoted(group)));
  }
  if (!good) return false;
  const Parts& first = parts[ranks->front()];
  for (std::size_t i = 1; i < ranks->size(); ++i) {
    const Parts& its = parts[(*ranks)[i]];
    const auto [one, other] =
        std::mismatch(first.begin(), first.end(), its.begin(), its.end(), are_one_operation);
    if (one == first.end() && other == its.end()) continue;
    if (one == first.end()) {
      complain(*other, lacks_it(ranks->front()));
    } else {
      complain(*one, other == its.end() ? lacks_it((*ranks)[i])
                                        : builder_.name(other->begin) +
                                              " is another operation, or of another comm_size");
    }
  }
  return good;
}

const Collective& ChakraCollectives::collective(std::int64_t number, std::size_t ranks) {
  const CollectiveType& type = *type_of(number);
  const auto made = made_.find({number, ranks});
  if (made != made_.end()) return made->second;
  const CollectiveEntry& entry = *find(collectives(), workload_.text(key_of(type)));
  try {
    return made_.emplace(std::pair(number, ranks), made_by(entry, type.operation, ranks))
        .first->second;
  } catch (const PreconditionError& error) {
    workload_.fail(key_of(type), error.reason(), error.hint());
  }
}

void ChakraCollectives::replay(const Parts& parts) {
  // By rank: the task that ends when all messages of the rank so far have arrived.
  std::vector<std::uint32_t> done = mapped(parts, &Part::begin);
  ++counts_[{without_variants(parts.front().type), parts.size()}];
  for (const std::int64_t type : steps_of(parts.front().type, workload_)) {
    add_messages(collective(type, parts.size()), parts, done);
  }
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    builder_.add_dependency({done[rank], parts[rank].end});
  }
}

void ChakraCollectives::add_messages(const Collective& collective, const Parts& parts,
                                     std::vector<std::uint32_t>& done) {
  const Schedule& schedule = collective.plan.schedule;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    std::vector<std::uint32_t> next = done;
    const auto end_of_round = [&](std::size_t rank) {
      if (next[rank] == done[rank]) {
        builder_.add_part(parts[rank].id, builder_.task(parts[rank].begin));
        next[rank] = builder_.last();
        builder_.add_dependency({done[rank], next[rank]});
      }
      return next[rank];
    };
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const std::size_t from = index(schedule.message(m).from);
      const std::size_t to = index(schedule.message(m).to);
      const std::uint64_t bytes = bytes_of(collective.demand, schedule.items(m), parts[from].bytes);
      const std::vector<std::uint32_t> ends{
          end_of_round(from),
          combination(collective, schedule.items(m), parts[to], end_of_round(to))};
      packing_.add(builder_, parts[from].id, builder_.task(parts[from].begin),
                   places_[parts[to].rank], bytes, done[from], ends);
    }
    done = std::move(next);
  }
}

std::uint32_t ChakraCollectives::combination(const Collective& collective, const Items& items,
                                             const Part& part, std::uint32_t end) {
  if (!collective.demand.adds_up() || collective.demand.is_union()) return end;
  const std::vector<ChunkId> sums = filtered(items, [](ChunkId item) { return !is_result(item); });
  if (sums.empty()) return end;
  combines_ = true;
  const Items added(sums.data(), sums.data() + sums.size());
  const auto bytes = static_cast<double>(bytes_of(collective.demand, added, part.bytes));
  TraceTask task = builder_.task(part.begin);
  task.delay = static_cast<std::uint64_t>(bytes * cycles_per_byte_);
  if (task.delay == 0) return end;
  builder_.add_part(part.id, task);
  builder_.add_dependency({builder_.last(), end});
  return builder_.last();
}

std::vector<ReplayedCollectives> ChakraCollectives::replayed() const {
  return mapped(counts_, [&](const auto& counted) {
    const auto& [kind, count] = counted;
    const CollectiveType& type = *type_of(kind.first);
    return ReplayedCollectives{type.name, workload_.text(key_of(type)), kind.second, count};
  });
}

std::vector<std::string> ChakraCollectives::notes() const {
  std::vector<std::string> notes;
  for (const auto& [group, parts] : parts_) {
    if (group.empty() || group == "0" || !members_.empty()) continue;
    notes.push_back(fmt::format(
        "all ranks take part in the collectives of {}; set workload.groups if others do",
        quoted(group)));
  }
  if (combines_ && cycles_per_byte_ == 0) {
    notes.emplace_back(
        "adding up in collectives takes no time; set workload.combine to the GB/s that a rank "
        "adds up");
  }
  return notes;
}

std::vector<Param> collective_replay_params() {
  std::vector<Param> params{Param::sections(
      "groups", "Ranks of the collectives of a pg_name; without an entry, all ranks take part.",
      {Param::text("name", "The pg_name."),
       Param::integers("ranks", "rank", "In the order in which the algorithm numbers them.", 0,
                       4294967295.0)})};
  for (const CollectiveType& type : kTypes) {
    Param param =
        Param::choice(key_of(type), fmt::format("Algorithm for {}s of the trace.", type.name));
    for (const CollectiveEntry& entry : collectives()) {
      if (is_between_ranks(entry, type.operation)) param.choices.push_back(entry.name);
    }
    if (type.number == kReduceScatterType) {
      param.choices.insert(param.choices.begin(), kReduceThenScatter);
      param.help = "Algorithm for reduce_scatters of the trace, or those of reduce and scatter.";
    }
    // A ring sends the fewest bytes; other operations send one chunk per message.
    const bool has_ring = contains(param.choices, "ring");
    param.fallback = has_ring ? "ring" : "unicast_rounds";
    params.push_back(std::move(param));
  }
  return params;
}

}  // namespace flitcast
