// SPDX-License-Identifier: Apache-2.0
// Algorithms on ranks in a grid, which send along one dimension at a time.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "collective/precondition.h"
#include "collective/ranks/builders.h"
#include "config/wording.h"
#include "topology/adjacency.h"
#include "topology/grid.h"

namespace flitcast {

namespace {

/// A grid of ranks. The coordinate in dimension 0 varies fastest: on n columns rank r is in column
/// r mod n.
class RankGrid {
 public:
  explicit RankGrid(Sizes sizes) : sizes_(std::move(sizes)) {
    for (const std::size_t size : sizes_) {
      strides_.push_back(ranks_);
      ranks_ *= size;
    }
  }

  std::size_t ranks() const { return ranks_; }
  const Sizes& sizes() const { return sizes_; }
  std::size_t dimensions() const { return sizes_.size(); }
  /// The coordinate of a rank in dimension d.
  std::size_t place(std::size_t rank, std::size_t d) const {
    return rank / strides_[d] % sizes_[d];
  }
  /// The rank with another coordinate, modulo the size, in dimension d.
  std::size_t moved(std::size_t rank, std::size_t d, std::size_t place) const {
    return rank + strides_[d] * (place % sizes_[d]) - strides_[d] * this->place(rank, d);
  }
  /// The ranks that differ from rank 0 in some of the given dimensions and in no others.
  std::vector<std::size_t> span(const Sizes& dimensions) const {
    std::vector<std::size_t> ranks{0};
    for (const std::size_t d : dimensions) {
      const std::size_t before = ranks.size();
      for (std::size_t n = before; n < before * sizes_[d]; ++n) {
        ranks.push_back(ranks[n - before] + strides_[d]);
      }
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  }
  /// The rank with the coordinate 0 in all given dimensions: a corner, to which the ranks of their
  /// span can be added.
  std::size_t corner(std::size_t rank, const Sizes& dimensions) const {
    for (const std::size_t d : dimensions) rank = moved(rank, d, 0);
    return rank;
  }

 private:
  Sizes sizes_;
  Sizes strides_;  // By dimension: from a rank to that with the next coordinate.
  std::size_t ranks_ = 1;
};

/// The way of a part of the data through a grid of d dimensions. Part k begins in dimension
/// k mod d, and parts d .. 2d - 1, 3d .. 4d - 1 and so on go in the opposite direction.
struct Way {
  const RankGrid& grid;
  std::size_t part = 0;

  std::size_t dimension(std::size_t phase) const { return (part + phase) % grid.dimensions(); }
  Sizes dimensions_after(std::size_t phase) const {
    return tabulated(grid.dimensions() - phase - 1,
                     [&](std::size_t n) { return dimension(phase + 1 + n); });
  }
  bool is_opposite() const { return part / grid.dimensions() % 2 == 1; }
  /// The place that is `distance` after a place in dimension d, or before it if the way is
  /// opposite.
  std::size_t beyond(std::size_t place, std::size_t d, std::size_t distance) const {
    const std::size_t size = grid.sizes()[d];
    return (place + (is_opposite() ? size - distance % size : distance)) % size;
  }
};

/// The places by which a ring of n ranks goes on: 1, and for every 2d further parts the next number
/// that has no divisor in common with n.
std::size_t stride_of(const Way& way, std::size_t n) {
  std::size_t stride = 1;
  for (std::size_t more = way.part / (2 * way.grid.dimensions()); n > 2 && more > 0; --more) {
    do stride = stride % n + 1;
    while (std::gcd(stride, n) != 1);
  }
  return stride;
}

/// A round of the rings of one part: every rank sends along a dimension.
struct RingStep {
  std::size_t phase = 0;  ///< Dimensions of the way before this one.
  std::size_t turn = 0;   ///< Rounds since the rings of the dimension have begun.
};

/// The rounds of a reduce-scatter of a part; an all-gather takes the dimensions in opposite order.
std::vector<RingStep> ring_steps(const Way& way, bool gathers) {
  std::vector<RingStep> steps;
  for (std::size_t n = 0; n < way.grid.dimensions(); ++n) {
    const std::size_t phase = gathers ? way.grid.dimensions() - 1 - n : n;
    const std::size_t size = way.grid.sizes()[way.dimension(phase)];
    for (std::size_t turn = 0; turn + 1 < size; ++turn) steps.push_back({phase, turn});
  }
  return steps;
}

/// Adds the messages of a round of rings. In turn t a rank sends the items of the ranks t places
/// before it in its ring, or t + 1 in a reduce-scatter, with all coordinates in dimensions of later
/// phases and its own in those of earlier ones.
template <class MakeItem>
void add_step(Schedule& schedule, const Way& way, const RingStep& step, bool gathers,
              MakeItem&& item) {
  const RankGrid& grid = way.grid;
  const std::size_t d = way.dimension(step.phase);
  const Sizes later = way.dimensions_after(step.phase);
  const std::vector<std::size_t> span = grid.span(later);
  const std::size_t size = grid.sizes()[d], stride = stride_of(way, size);
  const std::size_t back = size - stride * (step.turn + (gathers ? 0 : 1)) % size;
  for (std::size_t v = 0; v < grid.ranks(); ++v) {
    const std::size_t owner = grid.moved(v, d, way.beyond(grid.place(v, d), d, back));
    const std::size_t corner = grid.corner(owner, later);
    schedule.add(rank(v), rank(grid.moved(v, d, way.beyond(grid.place(v, d), d, stride))),
                 mapped(span, [&](std::size_t r) { return item(corner + r); }));
  }
}

/// Adds rings of all parts of the data at once; item(k p + r) belongs to rank r in part k.
template <class MakeItem>
void add_rings(Schedule& schedule, const RankGrid& grid, std::size_t parts, bool gathers,
               MakeItem&& item) {
  const auto steps = tabulated(parts, [&](std::size_t k) {
    return ring_steps({grid, k}, gathers);
  });
  for_rounds(schedule, steps.front().size(), [&](std::size_t round) {
    for (std::size_t k = 0; k < parts; ++k) {
      add_step(schedule, {grid, k}, steps[k][round], gathers,
               [&](std::size_t r) { return item(k * grid.ranks() + r); });
    }
  });
}

/// The parts of the data of an operation on a grid.
std::size_t parts_of(const Demand& demand, const RankGrid& grid) {
  return std::max<std::size_t>(demand.cuts / grid.ranks(), 1);
}

/// Makes the phases of a reduce-scatter and of an all-gather, or both for an all-reduce, by
/// add(schedule, grid, parts, gathers, item).
template <class Add>
Schedule in_two_phases(const Demand& demand, const RankGrid& grid, Add&& add) {
  const std::size_t parts = parts_of(demand, grid);
  Schedule schedule;
  if (demand.operation == Operation::kGossip) {
    add(schedule, grid, parts, true, chunk);
    return schedule;
  }
  schedule.begin_phase("reduce-scatter");
  add(schedule, grid, parts, false, partial_sum);
  schedule.begin_phase("all-gather");
  if (demand.operation == Operation::kAllReduce) add(schedule, grid, parts, true, result_of);
  return schedule;
}

/// The claim of a schedule in two phases, each of which takes that many rounds and serial blocks.
Claim claim_of_phases(const Demand& demand, const RankGrid& grid, std::size_t rounds,
                      std::size_t serial_blocks) {
  const std::size_t p = grid.ranks();
  const std::size_t times = demand.operation == Operation::kAllReduce ? 2 : 1;
  const std::size_t messages = times * parts_of(demand, grid) * p;
  return {times * rounds, false, messages * rounds, 0, times * serial_blocks, messages * (p - 1)};
}

Schedule grid_ring(const Demand& demand, const RankGrid& grid) {
  return in_two_phases(demand, grid, [](auto&&... arguments) { add_rings(arguments...); });
}

/// On p ranks in a grid of sizes n_d: the sum of n_d - 1 rounds and, with one part or where all
/// sizes are equal, p - 1 blocks one after another; p times as many in all for each part. An
/// all-reduce is a reduce-scatter and an all-gather. No algorithm moves fewer blocks one after
/// another. Where the grid is a torus no two messages of a round share a channel, with up to 2d
/// parts if all sizes are equal: then all links are busy. The operator must be commutative.
/// Sources: P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", Journal of Parallel and Distributed Computing 69 (2009); E. Chan, M. Heimlich, A.
/// Purkayastha and R. van de Geijn, "Collective communication: theory, practice, and experience",
/// Concurrency and Computation 19 (2007), section 7.
Claim grid_ring_claim(const Demand& demand, const RankGrid& grid) {
  const auto rounds = sum_of<std::size_t>(grid.sizes(), [](std::size_t size) { return size - 1; });
  const auto steps = tabulated(parts_of(demand, grid), [&](std::size_t k) {
    return ring_steps({grid, k}, false);
  });
  const auto serial_blocks = sum_of<std::size_t>(numbers(rounds), [&](std::size_t round) {
    return largest_of<std::size_t>(numbers(steps.size()), [&](std::size_t k) {
      return grid.span(Way{grid, k}.dimensions_after(steps[k][round].phase)).size();
    });
  });
  return claim_of_phases(demand, grid, rounds, serial_blocks);
}

/// An exchange of Swing, between ranks that are `distance` apart in a dimension.
struct SwingStep {
  std::size_t dimension = 0;
  std::size_t distance = 0;  ///< Modulo the size of the dimension.
};

/// The exchanges of a part: the dimensions in turn, at the distances 1, -1, 3, -5, 11, .. in each.
std::vector<SwingStep> swing_steps(const Way& way) {
  std::vector<SwingStep> steps;
  std::int64_t distance = 1;
  for (std::size_t reach = 2; reach <= way.grid.ranks(); reach *= 2, distance = 1 - 2 * distance) {
    for (std::size_t n = 0; n < way.grid.dimensions(); ++n) {
      const std::size_t size = way.grid.sizes()[way.dimension(n)];
      if (size < reach) continue;
      const auto signed_size = static_cast<std::int64_t>(size);
      const std::int64_t places = (distance % signed_size + signed_size) % signed_size;
      steps.push_back({way.dimension(n), static_cast<std::size_t>(places)});
    }
  }
  return steps;
}

/// The exchanges of one part of the data.
struct Swing {
  Way way;
  std::vector<SwingStep> steps = swing_steps(way);

  /// The rank with which v exchanges: even places go on, odd ones go back.
  std::size_t partner(std::size_t v, std::size_t step) const {
    const auto [d, distance] = steps[step];
    const std::size_t size = way.grid.sizes()[d], place = way.grid.place(v, d);
    return way.grid.moved(v, d, way.beyond(place, d, place % 2 == 0 ? distance : size - distance));
  }
  /// The ranks that a rank reaches by the exchanges from `step` on.
  std::vector<std::size_t> reached(std::size_t v, std::size_t step) const {
    if (step == steps.size()) return {v};
    std::vector<std::size_t> ranks = reached(v, step + 1);
    append(ranks, reached(partner(v, step), step + 1));
    return ranks;
  }
};

/// In a reduce-scatter a rank sends to its partner the sums of all ranks that the partner reaches
/// by later exchanges. An all-gather goes the same way back.
template <class MakeItem>
void add_swing(Schedule& schedule, const RankGrid& grid, std::size_t parts, bool gathers,
               MakeItem&& item) {
  const auto swings = tabulated(parts, [&](std::size_t k) { return Swing{{grid, k}}; });
  const std::size_t rounds = swings.front().steps.size();
  for_ranks(schedule, rounds, grid.ranks(), [&](std::size_t round, std::size_t v) {
    const std::size_t step = gathers ? rounds - 1 - round : round;
    for (std::size_t k = 0; k < parts; ++k) {
      const std::size_t to = swings[k].partner(v, step);
      schedule.add(rank(v), rank(to),
                   mapped(swings[k].reached(gathers ? v : to, step + 1),
                          [&](std::size_t r) { return item(k * grid.ranks() + r); }));
    }
  });
}

Schedule swing(const Demand& demand, const RankGrid& grid) {
  return in_two_phases(demand, grid, [](auto&&... arguments) { add_swing(arguments...); });
}

/// On p ranks in a grid whose sizes are powers of two: log2 p rounds and p - 1 blocks one after
/// another, an all-reduce twice that, which is as few as in recursive halving; partners are nearer
/// to each other in a torus, so that fewer messages share a channel. The operator must be
/// commutative. Source: D. De Sensi, T. Bonato, D. Saam and T. Hoefler, "Swing: short-cutting rings
/// for higher bandwidth allreduce", Symposium on Networked Systems Design and Implementation
/// (2024).
Claim swing_claim(const Demand& demand, const RankGrid& grid) {
  for (const std::size_t size : grid.sizes()) {
    require(on_power_of_two("Swing along a dimension", size, "algorithm: grid_ring"));
  }
  return claim_of_phases(demand, grid, floor_log2(grid.ranks()), grid.ranks() - 1);
}

/// In the rounds of dimension d every rank sends to the others of its line all chunks for ranks
/// that have the receiver's coordinates in dimensions 0 .. d.
Schedule dimension_exchange(const Demand& demand, const RankGrid& grid) {
  Schedule schedule;
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const Sizes later = Way{grid}.dimensions_after(d);
    const Sizes earlier = numbers(d);
    const auto origins = grid.span(earlier), destinations = grid.span(later);
    for_ranks(schedule, grid.sizes()[d] - 1, grid.ranks(), [&](std::size_t t, std::size_t v) {
      const std::size_t to = grid.moved(v, d, grid.place(v, d) + t + 1);
      schedule.add(rank(v), rank(to), concatenated(destinations, [&](std::size_t more) {
                     const std::size_t destination = grid.corner(to, later) + more;
                     return mapped(origins, [&](std::size_t o) {
                       return chunk(grid.corner(v, earlier) + o + demand.nodes * destination);
                     });
                   }));
    });
  }
  return schedule;
}

/// On p ranks in a grid of sizes n_d: the sum of n_d - 1 rounds, p / n_d chunks one after another
/// in each round of dimension d, and p times as many in all. Messages stay in a line of the grid.
/// Source: the indirect exchange of S. Kumar, Y. Sabharwal, R. Garg and P. Heidelberger,
/// "Optimization of all-to-all communication on the Blue Gene/L supercomputer", International
/// Conference on Parallel Processing (2008).
Claim dimension_exchange_claim(const Demand&, const RankGrid& grid) {
  const std::size_t p = grid.ranks();
  std::size_t rounds = 0, serial_blocks = 0;
  for (const std::size_t size : grid.sizes()) {
    rounds += size - 1;
    serial_blocks += (size - 1) * (p / size);
  }
  return {rounds, false, p * rounds, 0, serial_blocks, p * serial_blocks};
}

/// The divisors of the number of ranks, which are what a row can have: "1, 2, 3 or 6".
std::string divisors_of(std::size_t p) {
  const auto divisors = filtered(numbers(1, p + 1), [&](std::size_t d) { return p % d == 0; });
  return listed(mapped(divisors, [](std::size_t d) { return std::to_string(d); }), " or ");
}

/// The sizes of the most square grid that p ranks fill, with no fewer columns than rows.
Sizes nearly_square(std::size_t p) {
  std::size_t rows = 1;
  for (std::size_t d = 1; d * d <= p; ++d) {
    if (p % d == 0) rows = d;
  }
  return {p / rows, rows};
}

/// The grid that the keys of the algorithm select.
RankGrid grid_of(const Section& workload, const CollectiveContext& context, std::size_t p) {
  const Sizes given = mapped(workload.integers("grid"),
                             [](std::int64_t size) { return static_cast<std::size_t>(size); });
  const std::size_t row = workload.has("row") ? workload.count("row") : 0;
  if (row > 0 && !given.empty()) {
    workload.fail("row", "the sizes of the grid are given", "leave one of the two out");
  }
  if (row > 0) {
    if (p % row == 0) return RankGrid({row, p / row});
    throw *violated(std::to_string(p) + " ranks do not fill rows of " + std::to_string(row),
                    "use a row of " + divisors_of(p));
  }
  const auto* const network = topology_as<Grid>(context.topology);
  if (given.empty() && network != nullptr && p == network->node_count() &&
      (network->dimensions() > 1 || network->wraps(0))) {
    return RankGrid(network->node_grid());
  }
  RankGrid grid(given.empty() ? nearly_square(p) : given);
  if (grid.ranks() == p) return grid;
  throw *violated(std::to_string(p) + " ranks do not fill " + to_text(given),
                  "use sizes whose product is " + std::to_string(p));
}

/// A line of all ranks, for rings that take no notice of the network.
RankGrid line_of(const Section&, const CollectiveContext&, std::size_t p) { return RankGrid({p}); }

/// Cuts the vectors of an all-reduce into blocks: one for each rank in each of the parts that the
/// key `parts` asks for, which nodes send by different ports.
void cut(const Section& workload, const CollectiveContext& context, Demand& demand) {
  if (demand.operation != Operation::kAllReduce) return;
  const std::size_t parts = workload.has("parts") ? workload.count("parts") : 1;
  demand.cuts = parts * demand.nodes;
  const std::size_t most =
      std::min<std::size_t>(context.ports, most_router_ports(context.topology));
  if (parts == 1 || parts <= most) return;
  throw *violated(
      std::to_string(parts) + " parts at once need as many ports of a node",
      most > 1 ? "use at most " + std::to_string(most) : "write node.ports: all, or parts: 1",
      PreconditionError::Subject::kPorts);
}

/// The maker of an algorithm on a grid of ranks.
template <RankGrid (*select)(const Section&, const CollectiveContext&, std::size_t),
          Claim (*claim)(const Demand&, const RankGrid&),
          Schedule (*schedule)(const Demand&, const RankGrid&)>
Collective make_on_grid(const Section& workload, const CollectiveContext& context) {
  Demand demand = demand_of_ranks(context);
  cut(workload, context, demand);
  const RankGrid grid = select(workload, context, demand.nodes);
  Collective made = on_ranks(context, demand, claim(demand, grid),
                             [&](const Demand& cut) { return schedule(cut, grid); });
  made.discipline.ports = static_cast<unsigned>(parts_of(demand, grid));
  return made;
}

constexpr double kLargestSize = 1048576;
constexpr double kMostParts = 64;

Param parts_param() {
  Param parts = Param::integer("parts", "parts",
                               "Parts of the vectors that go different ways at once, by different "
                               "ports of a node: part k begins in dimension k mod d of d, and from "
                               "k = d on goes in the opposite direction.",
                               1, kMostParts)
                    .defaults_to(1)
                    .dumped_if_changed();
  parts.when = {"operation", {"all_reduce"}};
  return parts;
}

Param grid_param() {
  return Param::integers("grid", "ranks",
                         "Sizes of the grid of the ranks, whose product is their number; none: "
                         "those of a torus, or of a mesh of several dimensions, all of whose nodes "
                         "are ranks, and else rows and columns that are as even as possible.",
                         1, kLargestSize)
      .defaults_to(nlohmann::json::array())
      .dumped_if_changed();
}

}  // namespace

RankAlgorithm ring_algorithm() {
  return {[](const Demand& demand) { return grid_ring_claim(demand, RankGrid({demand.nodes})); },
          [](const Demand& demand) { return grid_ring(demand, RankGrid({demand.nodes})); }};
}

std::vector<CollectiveEntry> grid_collectives() {
  const std::vector<Operation> in_two_phases{Operation::kGossip, Operation::kReduceScatter,
                                             Operation::kAllReduce};
  const Param row = Param::integer("row", "ranks",
                                   "Ranks of a row of a grid of two dimensions, a divisor of their "
                                   "number; 0: `grid` says it.",
                                   0, kLargestSize)
                        .defaults_to(0);
  return {
      rank_entry("ring", "Any network: every rank sends blocks to the next one only.",
                 in_two_phases, make_on_grid<line_of, grid_ring_claim, grid_ring>, {parts_param()}),
      rank_entry("grid_ring",
                 "Any network: rings in the dimensions of a grid of ranks, one after another.",
                 in_two_phases, make_on_grid<grid_of, grid_ring_claim, grid_ring>,
                 {grid_param(), row, parts_param()}),
      rank_entry(
          "swing", "Any network of 2^k ranks: exchange with ranks at distances 1, -1, 3, -5, ..",
          in_two_phases, make_on_grid<grid_of, swing_claim, swing>, {grid_param(), parts_param()}),
      rank_entry("dimension_exchange",
                 "Any network: to the others in a line of a grid of ranks, in one dimension "
                 "after another.",
                 {Operation::kAllToAllScatter},
                 make_on_grid<grid_of, dimension_exchange_claim, dimension_exchange>,
                 {grid_param()})};
}

}  // namespace flitcast
