// SPDX-License-Identifier: Apache-2.0
// Every round of a collective is a partial multicast assignment that needs no rearrangement.
#include <algorithm>
#include <memory>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/multistage_admission.h"
#include "collective/round_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

struct Size {
  std::uint32_t n;
  std::uint32_t r;
};
constexpr Size kSizes[] = {{1, 5}, {5, 1}, {2, 2}, {2, 8}, {4, 4}, {3, 5}, {8, 2}, {4, 8}, {2, 33}};

/// Admission by strategy S1 with pass limit `x`; 0: without a limit.
clos::MultistageAdmission control_of(const clos::MultistageStructure& structure, std::size_t x) {
  std::vector<clos::AdmissionParams> params(structure.levels.size());
  for (clos::AdmissionParams& level : params) level.pass_limit = x;
  return {structure,
          [x](const clos::Structure& level, unsigned) {
            return find(clos::strategies(), "S1")->make({level, x, 1});
          },
          params};
}

/// Connects all messages of a round one after the other, in descending order of the senders if
/// `backwards`, then empties the network. Returns the number of blocked messages.
std::size_t blocked_in(const Schedule& plan, std::size_t round, clos::MultistageAdmission& control,
                       bool backwards) {
  std::vector<std::size_t> messages;
  for (std::size_t m = plan.begin(round); m < plan.end(round); ++m) messages.push_back(m);
  if (backwards) std::reverse(messages.begin(), messages.end());
  std::size_t blocked = 0;
  std::vector<clos::InputId> connected;
  for (const std::size_t m : messages) {
    std::vector<clos::OutputId> outputs;
    for (const NodeId to : plan.receivers(m)) outputs.push_back(clos::OutputId{index(to)});
    const clos::InputId input{index(plan.message(m).from)};
    if (control.connect(input, outputs).blocked) {
      ++blocked;
    } else {
      connected.push_back(input);
    }
  }
  for (const clos::InputId input : connected) control.disconnect(input);
  return blocked;
}

std::size_t blocked_in(const RoundCase& one, const clos::MultistageStructure& structure,
                       std::size_t x) {
  const Schedule plan = one.plan().schedule;
  clos::MultistageAdmission control = control_of(structure, x);
  std::size_t blocked = 0;
  for (std::size_t round = 0; round < plan.rounds(); ++round) {
    for (const bool backwards : {false, true}) {
      blocked += blocked_in(plan, round, control, backwards);
    }
  }
  return blocked;
}

}  // namespace

TEST_CASE("no round is blocked with the middle switches and the passes of Theorem 3", "[clos]") {
  const bool multicast = GENERATE(true, false);
  for (const Size& size : kSizes) {
    const clos::Bound bound = clos::theorem3(size.n, size.r);
    const auto m = static_cast<std::uint32_t>(bound.m);
    for (const RoundCase& one : round_cases(size.n * size.r, multicast, size.n / 2)) {
      INFO(one.name << " in v(" << m << "," << size.n << "," << size.r << ")");
      CHECK(blocked_in(one, {{clos::Structure::symmetric(m, size.n, size.r)}}, bound.x) == 0);
    }
  }
}

TEST_CASE("rounds of messages to one node each are not blocked with 2n - 1 middle switches",
          "[clos]") {
  for (const Size& size : kSizes) {
    for (const RoundCase& one : round_cases(size.n * size.r, false)) {
      INFO(one.name << " with n = " << size.n << ", r = " << size.r);
      CHECK(blocked_in(one, {{clos::Structure::symmetric(2 * size.n - 1, size.n, size.r)}}, 1) ==
            0);
    }
  }
}

TEST_CASE("five stages carry all rounds, too", "[clos]") {
  // The network v(4, 2, 2) in v(13, 4, 4), each with the middle switches of Theorem 3.
  const clos::MultistageStructure structure{
      {clos::Structure::symmetric(13, 4, 4), clos::Structure::symmetric(4, 2, 2)}};
  for (const bool multicast : {true, false}) {
    for (const RoundCase& one : round_cases(16, multicast)) {
      INFO(one.name);
      CHECK(blocked_in(one, structure, 0) == 0);
    }
  }
}

TEST_CASE("with fewer than n middle switches a round of a total exchange is blocked", "[clos]") {
  const RoundCase exchange{"exchange", {Operation::kAllToAllScatter, 16}, false};
  CHECK(blocked_in(exchange, {{clos::Structure::symmetric(3, 4, 4)}}, 0) > 0);
}
