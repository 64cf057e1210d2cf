// SPDX-License-Identifier: Apache-2.0
// Makes the classes of a workload from its key `classes`; traffic_classes.cpp runs them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/wording.h"
#include "traffic/traffic_classes.h"

namespace flitcast {
namespace {

constexpr const char* kVcs = "virtual_channels";

bool is_of_lengths(const Param& param) {
  return param.key == "packet_length" || param.key == "packet_weights";
}

/// The section of a class under its name "workload.classes[1]", with its position in the file.
std::string named(const Section& section) {
  const Place place = section.place("name");
  if (place.line == 0) return section.name();
  return fmt::format("{} (line {}, column {})", section.name(), place.line, place.column);
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
        virtual_channels_(virtual_channels),
        classes_(sections_.size()) {}

  std::vector<TrafficClass> read() {
    if (sections_.size() > kMaxMessageClasses) {
      workload_.fail("classes", fmt::format("there are {} classes", sections_.size()),
                     fmt::format("use {} at most", kMaxMessageClasses));
    }
    for (std::size_t c = 0; c < sections_.size(); ++c) {
      problems_.attempt([&] { read_name(c); });
      problems_.attempt([&] { read_vcs(c); });
      classes_[c].priority = static_cast<std::uint8_t>(sections_[c].count("priority"));
      classes_[c].weight = static_cast<unsigned>(sections_[c].count("weight"));
      classes_[c].rate = sections_[c].number("rate");
      classes_[c].burst = static_cast<unsigned>(sections_[c].count("burst"));
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
  void read_name(std::size_t c) {
    const Section& section = sections_[c];
    classes_[c].name = section.text("name");
    if (classes_[c].name.empty()) section.fail("name", "is empty", "give the class a name");
    for (std::size_t other = 0; other < c; ++other) {
      if (classes_[other].name != classes_[c].name) continue;
      section.fail("name",
                   fmt::format("{} is called {}, too", named(sections_[other]),
                               flitcast::quoted(classes_[c].name)),
                   "give every class a name of its own");
    }
  }

  void read_vcs(std::size_t c) {
    const Section& section = sections_[c];
    const std::vector<std::int64_t> ends = section.integers(kVcs);
    if (ends.empty()) {
      classes_[c].vcs = {0, virtual_channels_};
    } else {
      check_range(section, ends);
      classes_[c].vcs = {static_cast<std::size_t>(ends[0]),
                         static_cast<std::size_t>(ends[1] - ends[0] + 1)};
    }
    for (std::size_t other = 0; other < c; ++other) refuse_overlap(c, other);
  }

  void check_range(const Section& section, const std::vector<std::int64_t>& ends) const {
    if (ends.size() != 2) {
      section.fail(kVcs, fmt::format("{} are not a first and a last one", fmt::join(ends, ", ")),
                   "write two numbers, [first, last]");
    }
    if (ends[0] > ends[1]) {
      section.fail(kVcs, fmt::format("{} comes after {}", ends[0], ends[1]),
                   "write the lower number first");
    }
    if (static_cast<std::size_t>(ends[1]) >= virtual_channels_) {
      section.fail(kVcs,
                   fmt::format("there is no virtual channel {}: router.virtual_channels is {}",
                               ends[1], virtual_channels_),
                   fmt::format("use 0 to {}", virtual_channels_ - 1));
    }
  }

  void refuse_overlap(std::size_t c, std::size_t other) const {
    const VcRange a = classes_[c].vcs;
    const VcRange b = classes_[other].vcs;
    if (a.set() == b.set() || (a.set() & b.set()) == 0) return;
    sections_[c].fail(
        kVcs,
        fmt::format("{} to {} overlap with those of {}, {} to {}", a.first, a.first + a.count - 1,
                    named(sections_[other]), b.first, b.first + b.count - 1),
        "give both classes the same virtual channels, or none in common");
  }

  void read_reply(std::size_t c) {
    const Section& section = sections_[c];
    const std::string& name = section.text("reply");
    if (name.empty()) {
      if (section.count("service") == 0) return;
      section.fail("service", "means nothing without a reply",
                   "name a class by reply, or remove it");
    }
    classes_[c].service = section.count("service");
    std::vector<std::string> names;
    for (std::size_t r = 0; r < classes_.size(); ++r) {
      if (classes_[r].name == name) classes_[c].reply = static_cast<std::uint8_t>(r);
      names.push_back(classes_[r].name);
    }
    if (classes_[c].reply) return;
    section.fail("reply", "there is no class " + flitcast::quoted(name),
                 "name one of " + fmt::format("{}", fmt::join(names, ", ")));
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
    const auto asks = std::find_if(classes_.begin(), classes_.end(), [c](const TrafficClass& one) {
      return one.reply == static_cast<std::uint8_t>(c);
    });
    if (asks == classes_.end()) {
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
  const std::size_t virtual_channels_;
  std::vector<TrafficClass> classes_;
  ProblemList problems_;
};

}  // namespace

std::vector<TrafficClass> make_traffic_classes(const Section& workload, const Topology& topology,
                                               std::uint64_t seed, std::size_t virtual_channels) {
  return Reader(workload, topology, seed, virtual_channels).read();
}

Param traffic_classes_param() {
  constexpr double kLongestService = 1e9;
  std::vector<Param> members{
      Param::text("name", "Name of the class in results and in other classes."),
      Param::integers("virtual_channels", "",
                      "First and last virtual channel of its packets; none: all of the router.", 0,
                      kMaxVirtualChannels - 1)
          .defaults_to(nlohmann::json::array()),
      Param::integer(
          "priority", "",
          "A node sends from the class of highest priority that has a flit to send; "
          "classes of equal priority take turns. With router.arbitration: priority routers "
          "do the same.",
          0, MessageClass::kPriorities - 1)
          .defaults_to(0),
      Param::integer("weight", "flits",
                     "With router.arbitration: weighted or guaranteed, the flits of the class in "
                     "each turn of an "
                     "output: its share is the weight by the sum of the weights.",
                     1, MessageClass::kMostWeight)
          .defaults_to(1)
          .dumped_if_changed(),
      Param::number("rate", "flits per cycle",
                    "With router.arbitration: guaranteed, the rate that each output guarantees the "
                    "class; 0: none. Classes share what is left by weight.",
                    0, 1)
          .defaults_to(0)
          .dumped_if_changed(),
      Param::integer("burst", "flits",
                     "With router.arbitration: guaranteed, what the class may send at once after "
                     "it has sent nothing: the size of its token bucket.",
                     1, MessageClass::kMostBurst)
          .defaults_to(16)
          .dumped_if_changed(),
      Param::text("reply", "The class of the reply to each packet that a node receives.")
          .defaults_to(""),
      Param::integer("service", "cycles",
                     "Time from the cycle after a packet's arrival to the creation of its reply.",
                     0, kLongestService)
          .defaults_to(0)};
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
