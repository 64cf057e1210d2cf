// SPDX-License-Identifier: Apache-2.0
#include "topology/channel_classes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "config/problem.h"
#include "config/wording.h"
#include "topology/graph.h"
#include "topology/router_names.h"

namespace flitcast {
namespace {

/// Gives a channel the values of a section; 0 keeps what the channel has.
void time_channel(Topology& topology, std::size_t number, const Section& times) {
  const Channel& channel = topology.channels()[number];
  const auto value = [&](const char* key, std::uint32_t present) {
    const std::size_t given = times.count(key);
    return given == 0 ? present : static_cast<std::uint32_t>(given);
  };
  topology.time_channel(number, value("latency", channel.latency),
                        value("cycles_per_flit", channel.cycles_per_flit));
}

void time_classes(Topology& topology, const std::vector<Section>& classes, ProblemList& problems) {
  if (classes.empty()) return;
  std::map<std::string, const Section*> times;
  std::vector<std::string> known;
  for (const auto& [name, count] : channel_classes(topology)) known.push_back(name);
  for (const Section& one : classes) {
    if (std::count(known.begin(), known.end(), one.own_name()) == 0) {
      problems.add({one.place(""), one.name(), "no such class of channels in " + topology.name(),
                    known.empty() ? "it has no channels between routers"
                                  : "its classes are " + listed(known)});
    }
    times[one.own_name()] = &one;
  }
  for (std::size_t c = 0; c < topology.channels().size(); ++c) {
    const auto found = times.find(topology.channel_class(topology.channels()[c]));
    if (found != times.end()) time_channel(topology, c, *found->second);
  }
}

/// Applies the list of exceptions one by one.
class Exceptions {
 public:
  Exceptions(Topology& topology, ProblemList& problems)
      : topology_(topology), names_(topology), problems_(problems) {}

  void apply(const Section& exception) {
    const auto from = router(exception, "from");
    const auto to = router(exception, "to");
    if (!from || !to) return;
    bool found = false;
    for (std::size_t c = 0; c < topology_.channels().size(); ++c) {
      const Channel& channel = topology_.channels()[c];
      if (channel.from.router != *from || channel.to.router != *to) continue;
      if (!timed_.insert(c).second) return report_second(exception);
      time_channel(topology_, c, exception);
      found = true;
    }
    if (found) return;
    problems_.add(exception.problem(
        "to", "no channel of " + topology_.name() + " leads there",
        "channels lead from router " + exception.text("from") + " to " + names_.neighbours(*from)));
  }

 private:
  std::optional<RouterId> router(const Section& exception, const char* key) {
    const std::string& name = exception.text(key);
    const std::optional<RouterId> router = names_.find(name);
    if (!router) {
      problems_.add(exception.problem(key, quoted(name) + " names no router of " + topology_.name(),
                                      names_.hint_for(name)));
    }
    return router;
  }

  void report_second(const Section& exception) {
    problems_.add(exception.problem("to",
                                    "the channel from router " + exception.text("from") + " to " +
                                        exception.text("to") + " has an exception already",
                                    "keep one of them"));
  }

  Topology& topology_;
  std::set<std::size_t> timed_;  // The channels that have had their exception.
  const RouterNames names_;
  ProblemList& problems_;
};

}  // namespace

std::map<std::string, std::size_t> channel_classes(const Topology& topology) {
  std::map<std::string, std::size_t> classes;
  for (const Channel& channel : topology.channels()) ++classes[topology.channel_class(channel)];
  return classes;
}

std::vector<Param> channel_params() {
  const std::vector<Param> times{
      Param::integer("latency", "cycles", "Flight of a flit; 0: as without this key.", 0,
                     kMaxLinkLatency)
          .defaults_to(0)
          .dumped_if_changed(),
      Param::integer("cycles_per_flit", "cycles per flit",
                     "From one flit to the next, which is the width of the channel; 0: as without "
                     "this key.",
                     0, kMaxCyclesPerFlit)
          .defaults_to(0)
          .dumped_if_changed()};
  std::vector<Param> exception{
      Param::text("from", "Router from which the channel leads, by its number or name."),
      Param::text("to", "Router to which it leads; parallel channels are all meant.")};
  exception.insert(exception.end(), times.begin(), times.end());
  return {Param::named_sections(
              "classes",
              "Channels between routers that differ, by class, such as {wrap: {latency: 4}}; "
              "`flitcast check` shows their numbers, and an unknown name is refused with the names "
              "of the classes.",
              times)
              .dumped_if_changed(),
          Param::sections("exceptions",
                          "Single channels that differ, one way, whatever their class: [{from: 3, "
                          "to: 7, latency: 10}].",
                          std::move(exception))
              .dumped_if_changed()};
}

void time_channels(Topology& topology, const Section& link) {
  ProblemList problems;
  time_classes(topology, link.sections("classes"), problems);
  const std::vector<Section>& exceptions = link.sections("exceptions");
  if (!exceptions.empty()) {
    Exceptions applied(topology, problems);
    for (const Section& exception : exceptions) applied.apply(exception);
  }
  problems.throw_if_any();
}

}  // namespace flitcast
