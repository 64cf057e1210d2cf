// SPDX-License-Identifier: Apache-2.0
#include "router/arbitration.h"

#include <algorithm>
#include <random>
#include <vector>

#include "router/neighbours.h"
#include "router/option_core.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

RouterParams arbitrating(ArbitrationKind kind, const std::vector<MessageClass>& classes) {
  RouterParams params;
  params.virtual_channels = 2;
  params.buffer_depth = 16;
  params.options.arbitration = kind;
  params.classes = classes;
  return params;
}

MessageClass of_weight(unsigned weight) {
  MessageClass one;
  one.weight = weight;
  return one;
}

/// An arbitration of one output with its own memory; input VC c has packets of class c.
class Orders {
 public:
  explicit Orders(const RouterParams& params)
      : storage_(1U << 16), arena_(storage_.data()), order({params, 4, 1}, 8, arena_) {
    for (unsigned c = 0; c < params.classes.size(); ++c) {
      order.admit(c, {Cycle{0}, static_cast<std::uint8_t>(c)}, 1);
    }
  }
  Orders(const Orders&) = delete;
  Orders& operator=(const Orders&) = delete;

  /// Returns the class that is served if these classes request the output.
  unsigned serve(std::vector<unsigned> classes, std::uint64_t cycles_per_flit = 1) {
    const auto least = [&](unsigned a, unsigned b) { return order.rank(a, 0) < order.rank(b, 0); };
    const unsigned winner = *std::min_element(classes.begin(), classes.end(), least);
    order.served(winner, 0, cycles_per_flit);
    return winner;
  }

 private:
  std::vector<std::byte> storage_;
  detail::BumpAllocator arena_;

 public:
  Arbitration order;
};

/// A token bucket that is refilled in every cycle.
struct Bucket {
  double rate;
  double burst;
  double tokens = burst;

  void refill() { tokens = std::min(tokens + rate, burst); }
  bool take() {
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  }
};

/// The flits by input of a router with four inputs whose packets, of two flits, all leave by one
/// output for 3000 cycles. A packet has the class that `class_of` returns for its input and VC.
std::vector<unsigned> flits_by_input(const RouterParams& params,
                                     unsigned (*class_of)(unsigned input, unsigned vc)) {
  constexpr unsigned kInputs = 4;
  constexpr unsigned kPackets = 4000;
  Neighbours<1, OrderingCore> network(params, kInputs, 2);
  std::vector<unsigned> input_of;
  std::vector<std::uint8_t> classes;
  for (unsigned input = 0; input < kInputs; ++input) {
    for (unsigned n = 0; n < kPackets; ++n) {
      network.send(input, n % 2, 1, 2);
      input_of.push_back(input);
      classes.push_back(static_cast<std::uint8_t>(class_of(input, n % 2)));
    }
  }
  network.bench.standing_of = [&](unsigned packet) { return Standing{Cycle{0}, classes[packet]}; };
  network.run(3000);
  std::vector<unsigned> flits(kInputs, 0);
  for (const Departure& departure : network.bench.departures) ++flits[input_of[departure.packet]];
  return flits;
}

}  // namespace

TEST_CASE("classes that always request share an output in the ratio of their weights", "[router]") {
  Orders orders(
      arbitrating(ArbitrationKind::kWeighted, {of_weight(5), of_weight(1), of_weight(2)}));
  std::vector<unsigned> served(3, 0);
  for (int n = 0; n < 800; ++n) ++served[orders.serve({0, 1, 2})];
  CHECK(served == std::vector<unsigned>{500, 100, 200});
}

TEST_CASE("a class that requests nothing leaves its turn to the others and saves none of it",
          "[router]") {
  Orders orders(arbitrating(ArbitrationKind::kWeighted, {of_weight(3), of_weight(1)}));
  for (int n = 0; n < 50; ++n) CHECK(orders.serve({1}) == 1);
  std::vector<unsigned> served(2, 0);
  for (int n = 0; n < 400; ++n) ++served[orders.serve({0, 1})];
  CHECK(served[0] == Approx(300).margin(3));
}

TEST_CASE("a class has a token when a bucket that is refilled in each cycle has one", "[router]") {
  const double rate = GENERATE(1.0, 0.5, 0.25, 0.0625);
  const unsigned burst = GENERATE(1U, 2U, 7U);
  MessageClass one;
  one.rate = rate;
  one.burst = burst;
  Orders orders(arbitrating(ArbitrationKind::kGuaranteed, {of_weight(1), one}));
  Bucket bucket{rate, static_cast<double>(burst)};
  std::mt19937 random(7);
  unsigned guaranteed = 0;
  for (std::uint64_t now = 0; now < 3000; ++now) {
    orders.order.begin(now);
    if (now != 0) bucket.refill();
    if (random() % 100 >= (now / 300 % 2 == 0 ? 90 : 10)) continue;
    REQUIRE((orders.order.rank(1, 0) < orders.order.rank(0, 0)) == (bucket.tokens >= 1));
    orders.order.served(1, 0);
    guaranteed += bucket.take() ? 1U : 0U;
  }
  CHECK(guaranteed > 100);
}

TEST_CASE("a bucket of one flit loses no token while the channel takes a flit", "[router]") {
  const std::uint64_t pace = GENERATE(1U, 2U, 3U, 7U);
  for (const double share : {0.26, 0.6, 0.87, 0.97}) {
    MessageClass one;
    one.rate = share / static_cast<double>(pace);
    one.burst = 1;
    Orders orders(
        arbitrating(ArbitrationKind::kGuaranteed, {of_weight(MessageClass::kMostWeight), one}));
    double served = 0;
    constexpr std::uint64_t kFlits = 5000;
    for (std::uint64_t n = 0; n < kFlits; ++n) {
      orders.order.begin(n * pace);
      served += orders.serve({0, 1}, pace);
    }
    INFO("share " << share << " of a channel of " << pace << " cycles per flit");
    CHECK(served / kFlits > 0.999 * share);
    CHECK(served / kFlits < share + 0.005);  // Its weight is 1 of 1025.
  }
}

TEST_CASE("what is above the guaranteed rates is shared by weight", "[router]") {
  MessageClass guaranteed = of_weight(1);
  guaranteed.rate = 0.5;
  Orders orders(arbitrating(ArbitrationKind::kGuaranteed, {guaranteed, of_weight(3)}));
  std::vector<unsigned> served(2, 0);
  for (std::uint64_t now = 0; now < 8000; ++now) {
    orders.order.begin(now);
    ++served[orders.serve({0, 1})];
  }
  CHECK(served[0] == Approx(8000 * (0.5 + 0.5 / 4)).epsilon(0.01));
}

TEST_CASE("the rarest rate and the largest burst fit into the clock of a bucket", "[router]") {
  MessageClass one;
  one.rate = 1e-300;
  one.burst = MessageClass::kMostBurst;
  Orders orders(arbitrating(ArbitrationKind::kGuaranteed, {one, of_weight(1)}));
  for (unsigned n = 0; n < MessageClass::kMostBurst; ++n) REQUIRE(orders.serve({0, 1}) == 0);
  CHECK(orders.serve({0, 1}) == 0);  // Its turn.
  CHECK(orders.serve({0, 1}) == 1);
  orders.order.begin(1'000'000'000);
  CHECK(orders.serve({0, 1}) == 0);
}

TEST_CASE("inputs of a class share what their class gets, whatever is served in between",
          "[router]") {
  for (const AllocatorKind allocator : {AllocatorKind::kInputFirst, AllocatorKind::kOutputFirst}) {
    RouterParams params = arbitrating(ArbitrationKind::kWeighted, {of_weight(3), of_weight(1)});
    params.options.allocator = allocator;
    const auto flits =
        flits_by_input(params, [](unsigned input, unsigned) { return input == 1 ? 0U : 1U; });
    const unsigned all = flits[0] + flits[1] + flits[2] + flits[3];
    CHECK(all > 2900);
    CHECK(flits[1] == Approx(0.75 * all).epsilon(0.05));
    CHECK(flits[0] == Approx(all / 12.0).epsilon(0.1));
    CHECK(flits[2] == Approx(all / 12.0).epsilon(0.1));
    CHECK(flits[3] == Approx(all / 12.0).epsilon(0.1));
  }
}

TEST_CASE("a packet of the higher class goes first at every input", "[router]") {
  MessageClass high;
  high.priority = 3;
  const RouterParams params = arbitrating(ArbitrationKind::kPriority, {MessageClass{}, high});
  const auto flits =
      flits_by_input(params, [](unsigned input, unsigned) { return input < 2 ? 1U : 0U; });
  CHECK(flits[0] + flits[1] > 2900);
  CHECK(flits[0] == Approx(flits[1]).epsilon(0.05));
  CHECK(flits[2] + flits[3] < 100);
}
