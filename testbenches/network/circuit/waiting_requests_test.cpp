// SPDX-License-Identifier: Apache-2.0
#include "network/circuit/waiting_requests.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "network/circuit/multicasts.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

enum class State { kAway, kHere, kBlocked, kConnected };

struct Request {
  State state = State::kAway;
  std::vector<clos::OutputId> outputs;
  bool in_round = false;
};

/// Random terminals and a controller, next to a direct implementation of the rules: in every cycle
/// each request states what it waits for.
class Rules {
 public:
  Rules(const clos::Structure& structure, std::uint64_t seed)
      : control_(structure, find(clos::strategies(), "S1")->make({structure})),
        waiting(control_.state()),
        random_(seed),
        requests_(structure.inputs()) {}

  /// Runs one cycle. A terminal makes a request in one cycle of `request_every`, and a connection
  /// ends in one cycle of `release_every`, on average; 0 means never.
  void cycle(std::uint64_t request_every, std::uint64_t release_every) {
    for (std::uint32_t input = 0; input < requests_.size(); ++input) {
      const State state = requests_[input].state;
      if (state == State::kConnected && once_in(release_every)) release(input);
      if (state == State::kAway && once_in(request_every)) request(input);
    }
    if (random_.below(3) != 0) serve();  // The controller is busy otherwise.
    for (Request& request : requests_) request.in_round = request.in_round && ready(request);
    count_waits();
    now_ = now_ + 1;
  }
  bool all_away() const {
    return std::all_of(requests_.begin(), requests_.end(),
                       [](const Request& request) { return request.state == State::kAway; });
  }

 private:
  bool once_in(std::uint64_t cycles) { return cycles != 0 && random_.below(cycles) == 0; }
  bool valid(const Request& request) const {
    return std::all_of(request.outputs.begin(), request.outputs.end(), [&](clos::OutputId output) {
      return control_.state().idle_outputs().test(index(output));
    });
  }
  bool ready(const Request& request) const {
    return request.state == State::kHere && valid(request);
  }

  void request(std::uint32_t input) {
    const std::size_t outputs = control_.state().structure().outputs();
    const std::size_t wanted = 1 + random_.below(std::min<std::size_t>(4, outputs));
    requests_[input] = {State::kHere, {}, false};
    for (const NodeId node : random_nodes(random_, outputs, wanted)) {
      requests_[input].outputs.push_back(clos::OutputId{index(node)});
    }
    waiting.outputs(clos::InputId{input}) = requests_[input].outputs;
    waiting.arrive(clos::InputId{input}, now_);
  }
  void release(std::uint32_t input) {
    control_.disconnect(clos::InputId{input});
    waiting.released(clos::InputId{input}, now_);
    requests_[input].state = State::kAway;
    for (Request& request : requests_) {
      if (request.state == State::kBlocked) request.state = State::kHere;
    }
  }

  std::size_t first_of_round() const {
    const auto first = std::find_if(requests_.begin(), requests_.end(),
                                    [](const Request& request) { return request.in_round; });
    return static_cast<std::size_t>(first - requests_.begin());
  }
  void serve() {
    if (first_of_round() == requests_.size()) {
      for (Request& request : requests_) request.in_round = ready(request);
    }
    const std::size_t expected = first_of_round();
    const auto next = waiting.start_next(now_);
    REQUIRE(next.has_value() == (expected < requests_.size()));
    if (!next) return;
    REQUIRE(index(*next) == expected);
    Request& request = requests_[expected];
    request.in_round = false;
    if (control_.connect(*next, request.outputs).blocked()) {
      request.state = State::kBlocked;
      waiting.blocked(*next, now_);
    } else {
      request.state = State::kConnected;
      waiting.granted(*next, now_);
    }
    ++served;
  }
  void count_waits() {
    for (const Request& request : requests_) {
      if (request.state == State::kBlocked) ++waits.path;
      if (request.state == State::kHere) ++(valid(request) ? waits.controller : waits.outputs);
    }
  }

  clos::ConnectionAdmission control_;

 public:
  WaitingRequests waiting;
  RequestWaits waits;
  std::uint64_t served = 0;

 private:
  Random random_;
  std::vector<Request> requests_;
  Cycle now_{};
};

}  // namespace

TEST_CASE("requests are served and wait as the rules say, cycle by cycle", "[circuit]") {
  const std::uint32_t m = GENERATE(1U, 3U);
  const std::uint32_t r = GENERATE(1U, 3U, 40U);
  Rules rules(clos::Structure::symmetric(m, 2, r), r);
  for (int cycle = 0; cycle < 3000; ++cycle) rules.cycle(20, 30);
  CHECK(rules.served > 50);
  for (int cycle = 0; cycle < 5000; ++cycle) rules.cycle(0, 2);  // Ends all waits.
  REQUIRE(rules.all_away());
  CHECK_FALSE(rules.waiting.start_next(Cycle{10000}));
  CHECK(rules.waiting.waits().controller == rules.waits.controller);
  CHECK(rules.waiting.waits().outputs == rules.waits.outputs);
  CHECK(rules.waiting.waits().path == rules.waits.path);
}
