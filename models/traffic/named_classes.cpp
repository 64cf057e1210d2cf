// SPDX-License-Identifier: Apache-2.0
#include "traffic/named_classes.h"

#include <fmt/format.h>

#include "config/wording.h"

namespace flitcast {
namespace {

constexpr const char* kVcs = "virtual_channels";

/// The section of a class under its name "workload.classes[1]", with its position in the file.
std::string named(const Section& section) {
  const Place place = section.place("name");
  if (place.line == 0) return section.name();
  return fmt::format("{} (line {}, column {})", section.name(), place.line, place.column);
}

class ClassReader {
 public:
  ClassReader(const std::vector<Section>& sections, std::size_t virtual_channels,
              ProblemList& problems)
      : sections_(sections),
        virtual_channels_(virtual_channels),
        problems_(problems),
        classes_(sections_.size()) {}

  std::vector<NamedClass> read() {
    for (std::size_t c = 0; c < sections_.size(); ++c) {
      problems_.attempt([&] { read_name(c); });
      problems_.attempt([&] { read_vcs(c); });
      classes_[c].priority = static_cast<std::uint8_t>(sections_[c].count("priority"));
      classes_[c].weight = static_cast<unsigned>(sections_[c].count("weight"));
      classes_[c].rate = sections_[c].number("rate");
      classes_[c].burst = static_cast<unsigned>(sections_[c].count("burst"));
    }
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

  const std::vector<Section>& sections_;
  const std::size_t virtual_channels_;
  ProblemList& problems_;
  std::vector<NamedClass> classes_;
};

}  // namespace

std::vector<NamedClass> read_named_classes(const std::vector<Section>& sections,
                                           std::size_t virtual_channels, ProblemList& problems) {
  return ClassReader(sections, virtual_channels, problems).read();
}

std::vector<Param> named_class_params() {
  return {
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
          .dumped_if_changed()};
}

}  // namespace flitcast
