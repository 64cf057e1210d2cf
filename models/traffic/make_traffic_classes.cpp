// SPDX-License-Identifier: Apache-2.0
// Makes the classes of a workload from its key `classes`; traffic_classes.cpp runs them.
#include <fmt/format.h>

#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "traffic/traffic_classes.h"

namespace flitcast {
namespace {

bool is_of_lengths(const Param& param) {
  return param.key == "packet_length" || param.key == "packet_weights";
}

void read_reply(const Section& section, std::size_t c, std::vector<TrafficClass>& classes) {
  const std::string& name = section.text("reply");
  if (name.empty()) {
    if (section.count("service") == 0) return;
    section.fail("service", "means nothing without a reply", "name a class by reply, or remove it");
  }
  classes[c].service = section.count("service");
  for (std::size_t r = 0; r < classes.size(); ++r) {
    if (classes[r].name == name) classes[c].reply = static_cast<std::uint8_t>(r);
  }
  if (classes[c].reply) return;
  section.fail("reply", "there is no class " + flitcast::quoted(name),
               "name one of " + joined(mapped(classes, &NamedClass::name)));
}

// Reports each cycle at its first class.
void refuse_cyclic_replies(const std::vector<Section>& sections,
                           const std::vector<TrafficClass>& classes, ProblemList& problems) {
  for (std::size_t start = 0; start < classes.size(); ++start) {
    std::vector<std::string> cycle{classes[start].name};
    std::optional<std::uint8_t> next = classes[start].reply;
    while (next && *next > start && cycle.size() <= classes.size()) {
      cycle.push_back(classes[*next].name);
      next = classes[*next].reply;
    }
    if (next != static_cast<std::uint8_t>(start)) continue;
    problems.add(sections[start].problem(
        "reply", fmt::format("replies in a cycle: {}, {}", fmt::join(cycle, ", "), cycle.front()),
        "add a class that answers no other"));
  }
}

/// Reads the lengths of replies; adds problems for keys that only other classes have.
PacketLengths read_replies(const Section& section, const std::string& name, const std::string& asks,
                           ProblemList& problems) {
  for (const Param& param : traffic_params()) {
    if (is_of_lengths(param) || !section.given(param.key)) continue;
    problems.add(
        section.problem(param.key,
                        fmt::format("{} answers {}, so that its load and its destinations follow",
                                    flitcast::quoted(name), flitcast::quoted(asks)),
                        "remove it"));
  }
  return make_packet_lengths(section);
}

}  // namespace

std::vector<TrafficClass> make_traffic_classes(const Section& workload, const Topology& topology,
                                               std::uint64_t seed, std::size_t virtual_channels) {
  const std::vector<Section>& sections = workload.sections("classes");
  ProblemList problems;
  std::vector<TrafficClass> classes(sections.size());
  std::vector<NamedClass> named = read_named_classes(sections, virtual_channels, problems);
  if (sections.size() > kMaxMessageClasses) {
    workload.fail("classes", fmt::format("there are {} classes", sections.size()),
                  fmt::format("use {} at most", kMaxMessageClasses));
  }
  for (std::size_t c = 0; c < sections.size(); ++c) {
    static_cast<NamedClass&>(classes[c]) = std::move(named[c]);
  }
  for (std::size_t c = 0; c < sections.size(); ++c) {
    problems.attempt([&] { read_reply(sections[c], c, classes); });
  }
  refuse_cyclic_replies(sections, classes, problems);
  for (std::size_t c = 0; c < sections.size(); ++c) {
    const TrafficClass* const asks = first_where(
        classes, [c](const auto& one) { return one.reply == static_cast<std::uint8_t>(c); });
    problems.attempt([&] {
      if (asks != nullptr) {
        classes[c].lengths = read_replies(sections[c], classes[c].name, asks->name, problems);
      } else {
        classes[c].traffic = make_traffic(sections[c], topology, seed, c * topology.node_count());
      }
    });
  }
  problems.throw_if_any();
  return classes;
}

Param traffic_classes_param() {
  constexpr double kLongestService = 1e9;
  std::vector<Param> members = named_class_params();
  std::vector<Param> replies{
      Param::text("reply", "The class of the reply to each packet that a node receives.")
          .defaults_to(""),
      Param::integer("service", "cycles",
                     "Time from the cycle after a packet's arrival to the creation of its reply.",
                     0, kLongestService)
          .defaults_to(0)};
  append(members, std::move(replies));
  for (Param& param : traffic_params()) {
    param.default_dumped = is_of_lengths(param);  // Replies have no other keys.
    members.push_back(std::move(param));
  }
  Param classes = Param::sections(
      "classes", "Several classes of packets at once, each with its own keys.", std::move(members));
  classes.default_dumped = false;
  return classes;
}

}  // namespace flitcast
