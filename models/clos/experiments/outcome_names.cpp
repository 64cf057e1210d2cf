// SPDX-License-Identifier: Apache-2.0
#include "clos/experiments/outcome_names.h"

#include <stdexcept>

namespace flitcast::clos {
namespace {

template <class Outcome>
struct Named {
  Outcome outcome;
  const char* name;
};

constexpr Named<Join> kJoins[] = {{Join::kLocal, "ok-local"},
                                  {Join::kReuse, "ok-reuse"},
                                  {Join::kNew, "ok-new"},
                                  {Join::kRerouted, "ok-rerouted"},
                                  {Join::kBlocked, "blocked"}};

constexpr Named<Leave> kLeaves[] = {
    {Leave::kKeptLink, "kept-link"}, {Leave::kLinkFreed, "link-freed"}, {Leave::kClosed, "closed"}};

template <class Outcome, std::size_t kCount>
std::string name_in(const Named<Outcome> (&names)[kCount], Outcome outcome) {
  for (const Named<Outcome>& named : names) {
    if (named.outcome == outcome) return named.name;
  }
  throw std::logic_error("an outcome without a name");
}

template <class Outcome, std::size_t kCount>
Outcome outcome_in(const Named<Outcome> (&names)[kCount], const std::string& name) {
  std::string known;
  for (const Named<Outcome>& named : names) {
    if (name == named.name) return named.outcome;
    known += known.empty() ? named.name : std::string(", ") + named.name;
  }
  throw std::invalid_argument("no outcome \"" + name + "\"; take one of " + known);
}

}  // namespace

std::string name(Join outcome) { return name_in(kJoins, outcome); }
std::string name(Leave outcome) { return name_in(kLeaves, outcome); }

Join join_outcome(const std::string& name) { return outcome_in(kJoins, name); }
Leave leave_outcome(const std::string& name) { return outcome_in(kLeaves, name); }

}  // namespace flitcast::clos
