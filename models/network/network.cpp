// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <fmt/format.h>

#include "base/packet.h"
#include "base/sequences.h"
#include "network/check/inspection.h"

namespace flitcast {

namespace {

constexpr std::uint64_t Totals::*const kCounters[] = {
    &Totals::packets_created,   &Totals::packets_delivered,  &Totals::receivers,
    &Totals::receivers_dropped, &Totals::receivers_combined, &Totals::flits_created,
    &Totals::flits_injected,    &Totals::flits_ejected,      &Totals::router_ticks};

}  // namespace

std::unique_ptr<const Inspection> Network::inspection() const { return nullptr; }

std::uint64_t Network::sum_of_flits(const Topology& topology) const {
  return sum_of<std::uint64_t>(topology.routers(), [&](RouterId router) {
    return sum_of<std::uint64_t>(topology.outputs(router), [&](PortId port) {
      return flits_from({router, port});
    });
  });
}

Totals& Totals::operator+=(const Totals& other) {
  for (const auto counter : kCounters) this->*counter += other.*counter;
  return *this;
}

Totals Totals::operator-(const Totals& earlier) const {
  Totals difference = *this;
  for (const auto counter : kCounters) difference.*counter -= earlier.*counter;
  return difference;
}

std::string to_text(const std::vector<BlockedVc>& cycle) {
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const BlockedVc& vc = cycle[i];
    text += fmt::format("  router {} port {} VC {}: packet {} to node {}, waits for{}\n",
                        index(vc.router), index(vc.input), index(vc.vc), packet_name(vc.packet),
                        index(vc.destination), i + 1 == cycle.size() ? " the first" : "");
  }
  return text;
}

}  // namespace flitcast
