// SPDX-License-Identifier: Apache-2.0
#include "traffic/vector_ledger.h"

#include <stdexcept>
#include <string>

#include "collective/rank_cases.h"
#include "support/test_catch.h"
#include "topology/fat_tree.h"
#include "topology/grid.h"
#include "traffic/vector_player.h"

using namespace flitcast;

namespace {

VectorData data_of(const char* op, const char* type, std::uint32_t length = 24) {
  return {{op, type}, 2, length, 3};
}

VectorLedger carried_out(const Schedule& schedule, const Demand& demand, const VectorData& data) {
  VectorLedger ledger(demand, data);
  ledger.carry_out(schedule);
  return ledger;
}

/// A reduction of 8 ranks along a chain, from rank 7 down; its partial sums differ from those of
/// the tree.
Schedule chain_of_8() {
  Schedule schedule;
  for (std::uint32_t r = 7; r > 0; --r) {
    schedule.begin_round();
    schedule.add(NodeId{r}, NodeId{r - 1}, kPartialSum);
  }
  return schedule;
}

/// The order in which a legal schedule adds the ranks' contributions at a rank, with the lower
/// ranks as the left operand.
std::string order_at(const Collective& collective, std::size_t rank) {
  const Schedule& schedule = collective.plan.schedule;
  std::vector<std::vector<std::size_t>> held;
  for (std::size_t r = 0; r < collective.demand.nodes; ++r) held.push_back({r});
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    const auto before = held;
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      std::vector<std::size_t>& own = held[index(schedule.message(m).to)];
      const std::vector<std::size_t>& other = before[index(schedule.message(m).from)];
      if (is_result(schedule.message(m).chunk)) {
        own = other;
      } else {
        own.insert(other.front() < own.front() ? own.begin() : own.end(), other.begin(),
                   other.end());
      }
    }
  }
  std::string order;
  for (const std::size_t r : held[rank]) order += std::to_string(r) + " ";
  return order;
}

std::string ascending(std::size_t last) {
  std::string order;
  for (std::size_t r = 0; r <= last; ++r) order += std::to_string(r) + " ";
  return order;
}

}  // namespace

TEST_CASE("another order of a sum of floats shows, and one of integers does not", "[traffic]") {
  const Collective tree = RankCase{"binomial", Operation::kReduce}.on(8);
  const Schedule chain = chain_of_8();
  REQUIRE(verify(Complete(8), chain, tree.demand, tree.discipline).legal());
  const auto differences = [&](const VectorData& data) {
    return carried_out(chain, tree.demand, data)
        .differences(carried_out(tree.plan.schedule, tree.demand, data));
  };
  for (const char* type : {"float32", "float64"}) {
    CHECK(differences(data_of("add", type)) > 10);  // 48 elements are compared.
    CHECK(differences(data_of("mul", type)) > 10);
    CHECK(differences(data_of("max", type)) == 0);
  }
  for (const Arithmetic::Operator& op : Arithmetic::operators()) {
    for (const std::string& type : Arithmetic::integer_types()) {
      INFO(op.name << " of " << type);
      CHECK(differences(data_of(op.name, type.c_str())) == 0);
    }
  }
}

TEST_CASE("a rank that lacks a contribution, or has a changed one, is found by every operator",
          "[traffic]") {
  const Collective tree = RankCase{"recursive_doubling", Operation::kAllReduce}.on(4);
  for (const Arithmetic::Operator& op : Arithmetic::operators()) {
    const VectorData data = data_of(op.name, "int32", 40);
    const VectorLedger right = carried_out(tree.plan.schedule, tree.demand, data);
    CHECK(right.differences(right) == 0);
    INFO(op.name);
    CHECK(VectorLedger(tree.demand, data).differences(right) > 0);
    VectorLedger changed = right;
    VectorSum sum = changed.held(NodeId{2}, kResult);
    sum.elements[5] ^= 1;
    changed.receive(NodeId{2}, kResult, sum);
    CHECK(changed.differences(right) == 1);
  }
}

TEST_CASE("trees, doubling and scans add contiguous ranks up, the lower left", "[traffic]") {
  for (std::size_t p = 2; p <= 33; ++p) {
    INFO(p << " ranks");
    CHECK(order_at(RankCase{"binomial", Operation::kReduce}.on(p), 0) == ascending(p - 1));
    const Collective sums = RankCase{"recursive_doubling", Operation::kAllReduce}.on(p);
    const Collective scan = RankCase{"unicast_rounds", Operation::kScan}.on(p);
    for (std::size_t r = 0; r < p; ++r) {
      CHECK(order_at(sums, r) == ascending(p - 1));
      CHECK(order_at(scan, r) == ascending(r));
    }
  }
}

TEST_CASE("ranks are numbered from the root, and a sum begins with the lowest of its ranks",
          "[traffic]") {
  const Collective tree = RankCase{"binomial", Operation::kReduce}.on(8, 3);
  VectorLedger ledger(tree.demand, data_of("add", "float32"));
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    CHECK(ledger.held(NodeId{rank}, kPartialSum).first_rank == (rank + 8 - 3) % 8);
  }
  ledger.receive(NodeId{1}, kPartialSum, ledger.held(NodeId{7}, kPartialSum));
  CHECK(ledger.held(NodeId{1}, kPartialSum).first_rank == 4);
  ledger.receive(NodeId{7}, kPartialSum, ledger.held(NodeId{0}, kPartialSum));
  CHECK(ledger.held(NodeId{7}, kPartialSum).first_rank == 4);
}

TEST_CASE("operators that a type does not have, and operations without sums, are refused",
          "[traffic]") {
  CHECK_THROWS_AS(Arithmetic("xor", "float32"), std::invalid_argument);
  CHECK_THROWS_AS(Arithmetic("add", "int16"), std::invalid_argument);
  CHECK_THROWS_AS(Arithmetic("sub", "int32"), std::invalid_argument);
  const VectorData data = data_of("add", "int32");
  CHECK_THROWS_AS(VectorLedger({Operation::kBarrier, 4}, data), std::invalid_argument);
  CHECK_THROWS_AS(VectorLedger({Operation::kGossip, 4}, data), std::invalid_argument);
  VectorData large = data;
  large.elements_per_flit = 256;
  large.length = 100000;
  CHECK_THROWS_AS(VectorLedger({Operation::kReduce, 4}, large), std::length_error);
}

TEST_CASE("operators compute what the language computes", "[traffic]") {
  const auto combine = [](const char* op, const char* type, std::uint64_t a, std::uint64_t b) {
    Elements right{b};
    Arithmetic(op, type).combine({a}, right);
    return right.front();
  };
  constexpr std::uint64_t kMinusOne32 = 0xffffffff;
  constexpr std::uint64_t kMinusOne64 = ~std::uint64_t{0};
  CHECK(combine("add", "int32", kMinusOne32, 2) == 1);
  CHECK(combine("mul", "int32", kMinusOne32, 3) == 0xfffffffd);
  CHECK(combine("add", "int64", kMinusOne64, 2) == 1);
  CHECK(combine("max", "int32", kMinusOne32, 1) == 1);
  CHECK(combine("min", "int32", kMinusOne32, 1) == kMinusOne32);
  CHECK(combine("min", "int64", kMinusOne64, 1) == kMinusOne64);
  CHECK(combine("and", "int32", 12, 10) == 8);
  CHECK(combine("or", "int64", 12, 10) == 14);
  CHECK(combine("xor", "int32", 12, 10) == 6);
  CHECK(combine("logical_and", "int32", 12, 3) == 1);
  CHECK(combine("logical_or", "int32", 12, 0) == 1);
  CHECK(combine("logical_xor", "int64", 12, 3) == 0);
  CHECK(combine("add", "float32", 0x3f800000, 0x3f800000) == 0x40000000);  // 1 + 1
  CHECK(combine("mul", "float32", 0xbf800000, 0x40000000) == 0xc0000000);  // -1 * 2
  CHECK(combine("max", "float32", 0xbf800000, 0x3f000000) == 0x3f000000);  // -1, 0.5
  CHECK(combine("add", "float64", 0x3ff0000000000000, 0x3ff0000000000000) == 0x4000000000000000);
}

TEST_CASE("switches add up the sums of their inputs: on two levels of two, those of pairs",
          "[traffic]") {
  const FatTree tree = k_ary_n_tree(2, 2);
  CollectiveContext context{tree, NodeId{0}, 1, Operation::kAllReduce};
  const Section keys = Section::of("workload", {{"root", "centre"}, {"at_once", 1}});
  const Collective made = collectives().find("switch_tree")->make(keys, context);
  const VectorData data = data_of("add", "float32");
  VectorLedger sums(made.demand, data, tree.router_count());
  sums.carry_out(made.plan.schedule);
  std::vector<Elements> own;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    own.push_back(data.arithmetic.drawn(data.seed, rank, 0, data.elements()));
  }
  std::uint64_t differing = 0;
  Elements in_order = own[1];
  data.arithmetic.combine(own[0], in_order);
  for (const std::size_t next : {2U, 3U}) {
    Elements sum = own[next];
    data.arithmetic.combine(in_order, sum);
    in_order = sum;
  }
  data.arithmetic.combine(own[0], own[1]);
  data.arithmetic.combine(own[2], own[3]);
  data.arithmetic.combine(own[1], own[3]);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    CHECK(sums.held(NodeId{rank}, kResult).elements == own[3]);
    for (std::size_t i = 0; i < data.elements(); ++i) differing += own[3][i] != in_order[i];
  }
  CHECK(differing > 0);
  CHECK(sums.differences_from_rank_order() == differing);
}
