// SPDX-License-Identifier: Apache-2.0
// Makes the classes of a workload from its key `classes`; traffic_classes.cpp runs them.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "traffic/traffic_classes.h"

namespace flitcast {
namespace {

bool is_of_lengths(const Param& param) {
  return param.key == "packet_length" || param.key == "packet_weights";
}

/// Reads the classes of one workload and collects their problems.
class Reader {
 public:
  Reader(const Section& workload, const Topology& topology, std::uint64_t seed,
         std::size_t virtual_channels)
      : workload_(workload),
        sections_(workload.sections("classes")),
        topology_(topology),
        seed_(seed),
        named_(read_named_classes(sections_, virtual_channels, problems_)),
        classes_(sections_.size()) {}

  std::vector<TrafficClass> read() {
    if (sections_.size() > kMaxMessageClasses) {
      workload_.fail("classes", fmt::format("there are {} classes", sections_.size()),
                     fmt::format("use {} at most", kMaxMessageClasses));
    }
    for (std::size_t c = 0; c < sections_.size(); ++c) {
      static_cast<NamedClass&>(classes_[c]) = std::move(named_[c]);
    }
    for (std::size_t c = 0; c < sections_.size(); ++c) {
      problems_.attempt([&] { read_reply(c); });
    }
    refuse_cyclic_replies();
    for (std::size_t c = 0; c < sections_.size(); ++c) {
      problems_.attempt([&] { read_packets(c); });
    }
    problems_.throw_if_any();
    return std::move(classes_);
  }

 private:
  void read_reply(std::size_t c) {
    const Section& section = sections_[c];
    const std::string& name = section.text("reply");
    if (name.empty()) {
      if (section.count("service") == 0) return;
      section.fail("service", "means nothing without a reply",
                   "name a class by reply, or remove it");
    }
    classes_[c].service = section.count("service");
    for (std::size_t r = 0; r < classes_.size(); ++r) {
      if (classes_[r].name == name) classes_[c].reply = static_cast<std::uint8_t>(r);
    }
    if (classes_[c].reply) return;
    section.fail("reply", "there is no class " + flitcast::quoted(name),
                 "name one of " + joined(mapped(classes_, &NamedClass::name)));
  }

  // Reports each cycle at its first class.
  void refuse_cyclic_replies() {
    for (std::size_t start = 0; start < classes_.size(); ++start) {
      std::vector<std::string> cycle{classes_[start].name};
      std::optional<std::uint8_t> next = classes_[start].reply;
      while (next && *next > start && cycle.size() <= classes_.size()) {
        cycle.push_back(classes_[*next].name);
        next = classes_[*next].reply;
      }
      if (next != static_cast<std::uint8_t>(start)) continue;
      problems_.add(sections_[start].problem(
          "reply", fmt::format("replies in a cycle: {}, {}", fmt::join(cycle, ", "), cycle.front()),
          "add a class that answers no other"));
    }
  }

  void read_packets(std::size_t c) {
    const Section& section = sections_[c];
    const TrafficClass* const asks = first_where(classes_, [c](const TrafficClass& one) {
      return one.reply == static_cast<std::uint8_t>(c);
    });
    if (asks == nullptr) {
      classes_[c].traffic = make_traffic(section, topology_, seed_, c * topology_.node_count());
      return;
    }
    for (const Param& param : traffic_params()) {
      if (is_of_lengths(param) || !section.given(param.key)) continue;
      problems_.add(section.problem(
          param.key,
          fmt::format("{} answers {}, so that its load and its destinations follow",
                      flitcast::quoted(classes_[c].name), flitcast::quoted(asks->name)),
          "remove it"));
    }
    classes_[c].lengths = make_packet_lengths(section);
  }

  const Section& workload_;
  const std::vector<Section>& sections_;
  const Topology& topology_;
  const std::uint64_t seed_;
  ProblemList problems_;
  std::vector<NamedClass> named_;
  std::vector<TrafficClass> classes_;
};

}  // namespace

std::vector<TrafficClass> make_traffic_classes(const Section& workload, const Topology& topology,
                                               std::uint64_t seed, std::size_t virtual_channels) {
  return Reader(workload, topology, seed, virtual_channels).read();
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
  std::move(replies.begin(), replies.end(), std::back_inserter(members));
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
