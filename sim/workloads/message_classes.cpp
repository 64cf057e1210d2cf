// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/message_classes.h"

#include <fmt/format.h>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {
namespace {

// Keys that the routers do not read are mistakes, and so are guarantees that a channel cannot keep.
void check_service(const std::vector<NamedClass>& classes, const Section& owner,
                   const std::string& list, const NetworkPlan& network) {
  const ArbitrationTraits& used = traits_of(network.params.router.options.arbitration);
  ProblemList problems;
  for (const char* const key : traits_of(ArbitrationKind::kGuaranteed).class_keys) {
    const auto readers = names_where(
        kArbitrations, [&](const ArbitrationTraits& traits) { return traits.reads(key); });
    for (const Section& one : owner.sections(list)) {
      if (used.reads(key) || !one.given(key)) continue;
      problems.add(
          one.problem(key, fmt::format("does not apply while router.arbitration is {}", used.name),
                      fmt::format("set router.arbitration to {}, or remove it", either(readers))));
    }
  }
  const double sum = sum_of<double>(classes, &NamedClass::rate);
  const double most = 1.0 / most_cycles_per_flit(*network.topology, network.params);
  if (sum > most) {
    problems.add(owner.problem(
        list,
        fmt::format("rates of {:g} flits per cycle together, and a channel has {:g}", sum, most),
        "guarantee less"));
  }
  problems.throw_if_any();
}

}  // namespace

void add_classes(const std::vector<NamedClass>& classes, const Section& owner,
                 const std::string& list, NetworkPlan& network) {
  if (!network.can.has_classes) {
    owner.fail(list, "a central control admits packets of one class only",
               fmt::format("leave the {} out, or use another routing.kind", list));
  }
  for (const NamedClass& one : classes) {
    network.class_vcs.push_back(one.vcs);
    network.params.message_classes.push_back(one);
  }
  check_service(classes, owner, list, network);
}

}  // namespace flitcast
