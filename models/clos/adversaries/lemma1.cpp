// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/lemma1.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "clos/connection_admission.h"

namespace flitcast::clos {
namespace {

std::optional<std::string> crowded_element(const Lemma1Family& family) {
  std::vector<std::uint32_t> holders(family.r, 0);
  const auto count = [&](const std::vector<BitSet>& sets) {
    for (const BitSet& set : sets) set.for_each([&](std::size_t element) { ++holders[element]; });
  };
  count(family.requests);
  count(family.destination_sets);
  for (std::uint32_t element = 0; element < family.r; ++element) {
    if (holders[element] > family.n) {
      return fmt::format("output switch {} is in {} sets, more than n = {}", element,
                         holders[element], family.n);
    }
  }
  return std::nullopt;
}

// Adds `more` further M's, from `first` on, to those taken, and tests every I_i against their
// intersection.
std::optional<std::string> missed_meet(const Lemma1Family& family, std::size_t first,
                                       std::size_t more, const BitSet& meet,
                                       const std::string& taken) {
  if (more == 0) {
    for (std::size_t i = 0; i < family.requests.size(); ++i) {
      if (!family.requests[i].intersects(meet)) return fmt::format("I_{} misses{}", i + 1, taken);
    }
    return std::nullopt;
  }
  for (std::size_t j = first; j + more <= family.destination_sets.size(); ++j) {
    BitSet smaller = meet;
    smaller &= family.destination_sets[j];
    const std::string name = fmt::format("{} M_{}", taken.empty() ? "" : taken + " &", j + 1);
    if (auto fault = missed_meet(family, j + 1, more - 1, smaller, name)) return fault;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const Lemma1Family& family, bool pairs) {
  if (auto fault = crowded_element(family)) return fault;
  for (std::uint32_t a = 0; pairs && a < family.m(); ++a) {
    for (std::uint32_t b = a + 1; b < family.m(); ++b) {
      if (!family.destination_sets[a].intersects(family.destination_sets[b])) {
        return fmt::format("M_{} and M_{} are disjoint", a + 1, b + 1);
      }
    }
  }
  return missed_meet(family, 0, family.x, BitSet::full(family.r), "");
}

Structure lemma1_network(const Lemma1Family& family) {
  const std::uint32_t input_switches = 1 + (family.m() + family.n - 1) / family.n;
  return Structure::symmetric(family.m(), family.n, std::max(family.r, input_switches));
}

std::vector<Multicast> lemma1_requests(const Lemma1Family& family) {
  if (const auto fault = crowded_element(family)) throw std::invalid_argument(*fault);
  std::vector<Multicast> requests;
  std::vector<std::uint32_t> used(family.r, 0);  // By output switch: its ports that are taken.
  const auto request = [&](std::uint32_t input, const BitSet& switches) {
    if (switches.none()) throw std::invalid_argument("an empty set cannot be requested");
    requests.push_back({InputId{input}, {}});
    switches.for_each([&](std::size_t k) {
      requests.back().outputs.push_back(to_id<OutputId>(k * family.n + used[k]++));
    });
  };
  std::uint32_t input = family.n;
  for (const BitSet& set : family.destination_sets) request(input++, set);
  input = 0;
  for (const BitSet& set : family.requests) request(input++, set);
  return requests;
}

Lemma1Outcome play_lemma1(const Lemma1Family& family, std::unique_ptr<Strategy> strategy) {
  ConnectionAdmission control(lemma1_network(family), std::move(strategy));
  const std::vector<Multicast> requests = lemma1_requests(family);
  Lemma1Outcome outcome;
  for (std::uint32_t e = 0; e < requests.size(); ++e) {
    const Selection& route = control.connect(requests[e].input, requests[e].outputs);
    outcome.trace.emplace_back(ConnectEvent{requests[e].input, requests[e].outputs, route});
    if (e >= family.m()) {
      outcome.middles.push_back(route.size());
    } else if (route.size() != 1 || route.middle(0) != MiddleId{e}) {
      outcome.alone = false;
    }
  }
  return outcome;
}

}  // namespace flitcast::clos
