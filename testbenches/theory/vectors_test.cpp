// SPDX-License-Identifier: Apache-2.0
// Reductions of real data on a network: every rank holds, bit by bit, what a sequential program
// computes in the order that the algorithm prescribes.
#include <cstring>
#include <memory>
#include <set>

#include "collective/rank_cases.h"
#include "network/fabric/fabric.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "traffic/vector_player.h"

using namespace flitcast;

namespace {

// In flits and elements: every block has an element, also on 33 ranks.
constexpr std::uint32_t kLength = 40;
constexpr std::uint64_t kSeed = 9;

/// The arithmetic of the reference program, separate from the model's.
template <class T>
T plus(T a, T b) {
  return a + b;
}
template <class T>
T times(T a, T b) {
  return a * b;
}
template <class T>
T either(T a, T b) {
  return a ^ b;
}
template <class T>
T larger(T a, T b) {
  return a > b ? a : b;
}

/// The vector of every rank, and the operator that combines two of them.
template <class T>
struct Program {
  using Vector = std::vector<T>;
  T (*op)(T, T);
  std::vector<Vector> of_rank;

  Vector both(const Vector& left, const Vector& right) const {
    Vector sum;
    for (std::size_t i = 0; i < left.size(); ++i) sum.push_back(op(left[i], right[i]));
    return sum;
  }
  Vector leaf(std::size_t rank, std::size_t begin, std::size_t end) const {
    return Vector(of_rank[rank].begin() + static_cast<std::ptrdiff_t>(begin),
                  of_rank[rank].begin() + static_cast<std::ptrdiff_t>(end));
  }
};

/// Elements begin .. end - 1 of a rank's result, computed as the literature describes the
/// algorithm.
template <class T>
class Written {
  using Vector = typename Program<T>::Vector;
  const Program<T>& program_;
  const std::size_t p_;
  std::size_t begin_ = 0, end_ = 0;

  Vector leaf(std::size_t rank) const { return program_.leaf(rank, begin_, end_); }
  std::size_t kept() const {
    std::size_t kept = 1;
    while (2 * kept <= p_) kept *= 2;
    return kept;
  }
  // The sum at kept number a, one of 2^f, which stands for two ranks or for one.
  Vector folded(std::size_t a) const {
    const std::size_t others = p_ - kept();
    return a < others ? program_.both(leaf(2 * a), leaf(2 * a + 1)) : leaf(a + others);
  }

 public:
  Written(const Program<T>& program, std::size_t begin, std::size_t end)
      : program_(program), p_(program.of_rank.size()), begin_(begin), end_(end) {}

  /// The sum over the subtree of rank v, which spans `span` ranks: the half with the lower ranks is
  /// the left operand.
  Vector tree(std::size_t v, std::size_t span) const {
    if (span == 1) return leaf(v);
    const Vector left = tree(v, span / 2);
    return v + span / 2 < p_ ? program_.both(left, tree(v + span / 2, span / 2)) : left;
  }
  Vector binomial() const {
    std::size_t span = 1;
    while (span < p_) span *= 2;
    return tree(0, span);
  }
  Vector doubling(std::size_t a, std::size_t count) const {
    if (count == 1) return folded(a);
    return program_.both(doubling(a, count / 2), doubling(a + count / 2, count / 2));
  }
  Vector doubling() const { return doubling(0, kept()); }
  /// Number a combines with the number that differs in its highest bit, then in the next lower bit;
  /// operators are commutative, so either may be the left operand.
  Vector halving(std::size_t a, std::size_t bit) const {
    if (bit == kept()) return folded(a);
    return program_.both(halving(a, 2 * bit), halving(a ^ bit, 2 * bit));
  }
  /// Block b starts at rank b + 1 and goes once round the ring.
  Vector ring(std::size_t b) const {
    Vector sum = leaf((b + 1) % p_);
    for (std::size_t i = 2; i <= p_; ++i) sum = program_.both(sum, leaf((b + i) % p_));
    return sum;
  }
  /// The sum over the ranks v - reach + 1 .. v that exist: the half with the lower ranks is the
  /// left operand.
  Vector scan(std::size_t v, std::size_t reach) const {
    if (reach == 1) return leaf(v);
    const Vector right = scan(v, reach / 2);
    return v >= reach / 2 ? program_.both(scan(v - reach / 2, reach / 2), right) : right;
  }
  Vector scan(std::size_t v) const {
    std::size_t reach = 1;
    while (reach < p_) reach *= 2;
    return scan(v, reach);
  }
};

/// The expected part of a rank's result; no value where Written does not define the literature's
/// order.
template <class T>
std::optional<std::vector<T>> written(const std::string& algorithm, const Demand& demand,
                                      const Program<T>& program, std::size_t rank,
                                      std::size_t block) {
  const std::size_t blocks = demand.blocks();
  const Written<T> text(program, block * kLength / blocks, (block + 1) * kLength / blocks);
  const bool ring = algorithm == "ring";
  switch (demand.operation) {
    case Operation::kScan:
      return text.scan(rank);
    case Operation::kReduce:
      if (algorithm == "binomial" || algorithm == "unicast_rounds") return text.binomial();
      return std::nullopt;
    case Operation::kAllReduce:
      if (algorithm == "binomial") return text.binomial();
      if (algorithm == "recursive_doubling" || algorithm == "unicast_rounds") {
        return text.doubling();
      }
      if (algorithm == "rabenseifner") return text.halving(0, 1);
      return ring ? std::optional(text.ring(block)) : std::nullopt;
    case Operation::kReduceScatter:
      if (algorithm == "recursive_halving") return text.halving(0, 1);
      return ring ? std::optional(text.ring(block)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

template <class T>
std::uint64_t bits(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
Program<T> program_of(T (*op)(T, T), const Arithmetic& arithmetic, std::size_t ranks) {
  Program<T> program{op, {}};
  for (std::size_t r = 0; r < ranks; ++r) {
    program.of_rank.emplace_back();
    for (const std::uint64_t drawn : arithmetic.drawn(kSeed, r, 0, kLength)) {
      T value;
      std::memcpy(&value, &drawn, sizeof value);
      program.of_rank.back().push_back(value);
    }
  }
  return program;
}

/// A player of a plan on a line with one node per rank.
template <class Player>
class Run {
  const RankCase what_;
  const Collective collective_;
  const Grid line_;
  const DimensionOrder routing_;
  Player player_;
  Fabric fabric_;

  static NetworkParams params() {
    NetworkParams params;
    params.full_hierarchy = false;
    params.router.virtual_channels = DimensionOrder::Params{}.virtual_channels;
    return params;
  }

 public:
  template <class... Rest>
  Run(const RankCase& what, std::size_t ranks, const Rest&... rest)
      : what_(what),
        collective_(what.on(ranks)),
        line_(mesh({ranks})),
        routing_(line_, {}),
        player_(line_, collective_.plan.schedule, collective_.demand, rest...),
        fabric_(sc_core::sc_gen_unique_name("fabric"), line_, routing_, player_, params()) {}

  std::string name() const { return what_.name(); }
  const RankCase& what() const { return what_; }
  const Demand& demand() const { return collective_.demand; }
  const Player& player() const { return player_; }
  void run() {
    while (!player_.finished() && index(fabric_.now()) < 1000000) fabric_.run(64);
    REQUIRE(player_.finished());
  }
};

/// Plays an operation with chunks of 3 flits.
class Moves : public Run<SchedulePlayer> {
 public:
  Moves(const RankCase& what, std::size_t ranks)
      : Run(what, ranks, SchedulePlayer::Timing::kRounds, 3U, kSeed) {}
};

/// Plays an operation with sums of vectors.
class Sums : public Run<VectorPlayer> {
 public:
  Sums(const RankCase& what, std::size_t ranks, const Arithmetic& arithmetic)
      : Run(what, ranks, VectorData{arithmetic, 1, kLength, kSeed}, 0.0) {}

  /// Compares with the reference program; returns the number of compared blocks.
  template <class T>
  std::size_t compare(const Program<T>& program) const {
    std::size_t compared = 0;
    for (std::uint32_t r = 0; r < demand().nodes; ++r) {
      const auto [begin, end] = demand().summed(NodeId{r});
      for (std::size_t first = begin; first < end; first += demand().nodes) {
        const std::size_t block = first / demand().nodes;
        const auto expected = written(what().algorithm, demand(), program, r, block);
        if (!expected) continue;
        ++compared;
        const VectorSum held = player().sums().held(NodeId{r}, partial_sum(block));
        INFO(name() << " on " << demand().nodes << ": rank " << r << ", block " << block);
        REQUIRE(held.elements.size() == expected->size());
        for (std::size_t i = 0; i < expected->size(); ++i) {
          REQUIRE(held.elements[i] == bits((*expected)[i]));
        }
      }
    }
    return compared;
  }
};

std::vector<RankCase> vector_cases() {
  std::vector<RankCase> cases;
  for (const RankCase& one : rank_cases()) {
    const Demand demand{one.operation};
    if (demand.adds_up() && !demand.is_union()) cases.push_back(one);
  }
  cases.push_back({"unicast_rounds", Operation::kReduce});
  cases.push_back({"unicast_rounds", Operation::kAllReduce});
  cases.push_back({"unicast_rounds", Operation::kScan});
  return cases;
}

/// Makes all algorithms on this number of ranks.
std::vector<std::unique_ptr<Sums>> all_on(std::size_t ranks, const Arithmetic& arithmetic) {
  std::vector<std::unique_ptr<Sums>> runs;
  for (const RankCase& one : vector_cases()) {
    if (one.if_defined(ranks)) runs.push_back(std::make_unique<Sums>(one, ranks, arithmetic));
  }
  return runs;
}

template <class T>
void check_all(std::size_t ranks, const Arithmetic& arithmetic, T (*op)(T, T)) {
  const Program<T> program = program_of(op, arithmetic, ranks);
  std::set<std::string> compared;
  for (const auto& run : all_on(ranks, arithmetic)) {
    run->run();
    INFO(run->name() << " on " << ranks);
    CHECK(run->player().wrong() == 0);
    if (run->compare(program) > 0) compared.insert(run->name());
  }
  CHECK(compared.size() >= 5);  // Powers of two allow more algorithms.
}

}  // namespace

TEST_CASE("floats are added bit by bit as the algorithm's sequential program adds them",
          "[collective]") {
  check_all<float>(GENERATE(range(std::size_t{2}, std::size_t{34})), {"add", "float32"}, plus);
}

TEST_CASE("doubles are multiplied bit by bit as the algorithm's sequential program does",
          "[collective]") {
  check_all<double>(GENERATE(range(std::size_t{2}, std::size_t{34}, std::size_t{5})),
                    {"mul", "float64"}, times);
}

TEST_CASE("integers have the same bits in any order, which are those of the program",
          "[collective]") {
  const std::size_t ranks = GENERATE(std::size_t{3}, std::size_t{8}, std::size_t{13});
  switch (GENERATE(0, 1, 2, 3, 4)) {
    case 0:
      return check_all<std::uint64_t>(ranks, {"add", "int64"}, plus);
    case 1:
      return check_all<std::uint32_t>(ranks, {"mul", "int32"}, times);
    case 2:
      return check_all<std::uint32_t>(ranks, {"xor", "int32"}, either);
    case 3:
      return check_all<std::int32_t>(ranks, {"max", "int32"}, larger);
    default:
      for (const auto& run : all_on(ranks, {"mul", "int64"})) {
        run->run();
        INFO(run->name());
        CHECK(run->player().sums().differences_from_rank_order() == 0);
      }
  }
}

TEST_CASE("collectives that move chunks bring every rank the bytes of their origins",
          "[collective]") {
  const std::size_t ranks = GENERATE(range(std::size_t{2}, std::size_t{34}));
  std::vector<std::unique_ptr<Moves>> runs;
  for (const RankCase& one : rank_cases()) {
    const Demand demand{one.operation};
    const bool moves = !demand.adds_up() || demand.is_union();
    if (moves && one.if_defined(ranks)) runs.push_back(std::make_unique<Moves>(one, ranks));
  }
  CHECK(runs.size() >= 12);
  for (const auto& run : runs) {
    run->run();
    INFO(run->name() << " on " << ranks);
    CHECK(run->player().wrong() == 0);
  }
}
