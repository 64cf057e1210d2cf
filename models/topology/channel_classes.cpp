// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_classes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "config/wording.h"
#include "topology/graph.h"
#include "topology/router_names.h"

namespace flitcast {
namespace {

/// The keys of classes and exceptions, each with what it sets.
constexpr std::pair<const char*, std::uint32_t Channel::*> kKeys[] = {
    {"latency", &Channel::latency},
    {"cycles_per_flit", &Channel::cycles_per_flit},
    {"buffer_depth", &Channel::buffer_depth}};

/// Gives a channel the values of a section; 0 keeps what the channel has.
void set_channel(Channel& channel, const Section& values) {
  for (const auto& [key, member] : kKeys) {
    if (values.count(key) != 0) channel.*member = static_cast<std::uint32_t>(values.count(key));
  }
}

void set_classes(Topology& topology, const std::vector<Section>& classes, ProblemList& problems) {
  if (classes.empty()) return;
  std::map<std::string, const Section*> values;
  const std::vector<std::string> known =
      mapped(channel_classes(topology), [](const auto& named) { return named.first; });
  for (const Section& one : classes) {
    if (!contains(known, one.own_name())) {
      problems.add({one.place(""), one.name(), "no such class of channels in " + topology.name(),
                    known.empty() ? "it has no channels between routers"
                                  : "its classes are " + listed(known)});
    }
    values[one.own_name()] = &one;
  }
  for (std::size_t c = 0; c < topology.channels().size(); ++c) {
    const auto found = values.find(topology.channel_class(topology.channels()[c]));
    if (found != values.end()) set_channel(topology.channel(c), *found->second);
  }
}

void set_exceptions(Topology& topology, const std::vector<Section>& exceptions,
                    ProblemList& problems) {
  if (exceptions.empty()) return;
  const RouterNames names(topology);
  const auto router = [&](const Section& exception, const char* key) {
    const std::string& name = exception.text(key);
    const std::optional<RouterId> found = names.find(name);
    if (!found) {
      problems.add(exception.problem(key, quoted(name) + " names no router of " + topology.name(),
                                     names.hint_for(name)));
    }
    return found;
  };
  std::set<std::pair<RouterId, RouterId>> known;  // Routers whose channels have their exception.
  for (const Section& exception : exceptions) {
    const auto from = router(exception, "from");
    const auto to = router(exception, "to");
    if (!from || !to) continue;
    const std::vector<std::size_t> channels = names.channels(*from, *to);
    const std::string ends = "router " + exception.text("from") + " to ";
    if (channels.empty()) {
      problems.add(exception.problem("to", "no channel of " + topology.name() + " leads there",
                                     "channels lead from " + ends + names.neighbours(*from)));
    } else if (!known.emplace(*from, *to).second) {
      problems.add(exception.problem(
          "to", "the channel from " + ends + exception.text("to") + " has an exception already",
          "keep one of them"));
    }
    for (const std::size_t channel : channels) set_channel(topology.channel(channel), exception);
  }
}

}  // namespace

std::map<std::string, std::size_t> channel_classes(const Topology& topology) {
  std::map<std::string, std::size_t> classes;
  for (const Channel& channel : topology.channels()) ++classes[topology.channel_class(channel)];
  return classes;
}

std::vector<Param> channel_params() {
  const auto value = [](const char* key, const char* unit, const char* help, double most) {
    return Param::integer(key, unit, help, 0, most).defaults_to(0).dumped_if_changed();
  };
  const std::vector<Param> values{
      value("latency", "cycles", "Flight of a flit; 0: as without this key.", kMaxLinkLatency),
      value("cycles_per_flit", "cycles per flit",
            "From one flit to the next, which is the width of the channel; 0: as without this key.",
            kMaxCyclesPerFlit),
      value("buffer_depth", "flits or packets",
            "Slots of every virtual channel behind it, in the unit of router.buffer_depth; 0: as "
            "without this key.",
            65535)};
  const std::vector<Param> ends{
      Param::text("from", "Router from which the channel leads, by its number or name."),
      Param::text("to", "Router to which it leads; parallel channels are all meant.")};
  return {Param::named_sections(
              "classes",
              "Channels between routers that differ, by class, such as {wrap: {latency: 4}}; "
              "`flitcast check` shows their numbers, and an unknown name is refused with the names "
              "of the classes.",
              values)
              .dumped_if_changed(),
          Param::sections("exceptions",
                          "Single channels that differ, one way, whatever their class: [{from: 3, "
                          "to: 7, latency: 10}].",
                          concatenated({ends, values}))
              .dumped_if_changed()};
}

void set_channels(Topology& topology, const Section& link) {
  ProblemList problems;
  set_classes(topology, link.sections("classes"), problems);
  set_exceptions(topology, link.sections("exceptions"), problems);
  problems.throw_if_any();
}

}  // namespace flitcast
