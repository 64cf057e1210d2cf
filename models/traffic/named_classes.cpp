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

void read_name(const std::vector<Section>& sections, std::size_t c,
               std::vector<NamedClass>& classes) {
  classes[c].name = sections[c].text("name");
  if (classes[c].name.empty()) sections[c].fail("name", "is empty", "give the class a name");
  for (std::size_t other = 0; other < c; ++other) {
    if (classes[other].name != classes[c].name) continue;
    sections[c].fail("name",
                     fmt::format("{} is called {}, too", named(sections[other]),
                                 flitcast::quoted(classes[c].name)),
                     "give every class a name of its own");
  }
}

void check_range(const Section& section, const std::vector<std::int64_t>& ends,
                 std::size_t virtual_channels) {
  if (ends.size() != 2) {
    section.fail(kVcs, fmt::format("{} are not a first and a last one", fmt::join(ends, ", ")),
                 "write two numbers, [first, last]");
  }
  if (ends[0] > ends[1]) {
    section.fail(kVcs, fmt::format("{} comes after {}", ends[0], ends[1]),
                 "write the lower number first");
  }
  if (static_cast<std::size_t>(ends[1]) >= virtual_channels) {
    section.fail(kVcs,
                 fmt::format("there is no virtual channel {}: router.virtual_channels is {}",
                             ends[1], virtual_channels),
                 fmt::format("use 0 to {}", virtual_channels - 1));
  }
}

void read_vcs(const std::vector<Section>& sections, std::size_t c, std::size_t virtual_channels,
              std::vector<NamedClass>& classes) {
  const std::vector<std::int64_t> ends = sections[c].integers(kVcs);
  VcRange& own = classes[c].vcs;
  if (!ends.empty()) check_range(sections[c], ends, virtual_channels);
  own = ends.empty() ? VcRange{0, virtual_channels}
                     : VcRange{static_cast<std::size_t>(ends[0]),
                               static_cast<std::size_t>(ends[1] - ends[0] + 1)};
  for (std::size_t other = 0; other < c; ++other) {
    const VcRange its = classes[other].vcs;
    if (own.set() == its.set() || (own.set() & its.set()) == 0) continue;
    sections[c].fail(kVcs,
                     fmt::format("{} to {} overlap with those of {}, {} to {}", own.first,
                                 own.first + own.count - 1, named(sections[other]), its.first,
                                 its.first + its.count - 1),
                     "give both classes the same virtual channels, or none in common");
  }
}

}  // namespace

std::vector<NamedClass> read_named_classes(const std::vector<Section>& sections,
                                           std::size_t virtual_channels, ProblemList& problems) {
  std::vector<NamedClass> classes(sections.size());
  for (std::size_t c = 0; c < sections.size(); ++c) {
    problems.attempt([&] { read_name(sections, c, classes); });
    problems.attempt([&] { read_vcs(sections, c, virtual_channels, classes); });
    classes[c].priority = static_cast<std::uint8_t>(sections[c].count("priority"));
    classes[c].weight = static_cast<unsigned>(sections[c].count("weight"));
    classes[c].rate = sections[c].number("rate");
    classes[c].burst = static_cast<unsigned>(sections[c].count("burst"));
  }
  return classes;
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
