// SPDX-License-Identifier: Apache-2.0
#include "clos/minimum/configuration.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace flitcast::clos {

namespace {

std::string over(const char* what, std::uint32_t size, std::uint32_t most) {
  if (size <= most) return {};
  return std::string("; ") + what + " " + std::to_string(size) + " is more than " +
         std::to_string(most);
}

std::uint32_t bits_for(std::uint32_t largest) {
  std::uint32_t bits = 0;
  while (largest >> bits != 0) ++bits;
  return bits;
}

// Ports do not straddle words.
std::size_t words_for(std::uint32_t ports, std::uint32_t bits) {
  const std::uint32_t ports_per_word = 64 / bits;
  return (ports + ports_per_word - 1) / ports_per_word;
}

}  // namespace

void require_searchable(const Structure& structure) {
  require_buildable(structure);
  const std::string problems = over("inputs", structure.inputs(), kMostSearchInputs) +
                               over("outputs", structure.outputs(), kMostSearchOutputs) +
                               over("output switches", structure.r2, kMostSearchOutputSwitches) +
                               over("middle switches", structure.m, kMostSearchMiddles);
  if (!problems.empty()) {
    throw std::invalid_argument(to_text(structure) + " is too large for an exhaustive search" +
                                problems + "; choose smaller switches");
  }
}

LinkUse::LinkUse(const Configuration& routes, const Structure& structure) {
  std::array<std::uint32_t, kMostSearchOutputSwitches> ports{};
  const SwitchMask all_middles = (SwitchMask{1} << structure.m) - 1;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    SwitchMask used = 0;
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      for_each_link(routes[i * structure.n1 + t], [&](std::uint32_t middle, std::uint32_t k) {
        used |= SwitchMask{1} << middle;
        busy[middle] |= SwitchMask{1} << k;
        ++ports[k];
      });
    }
    available[i] = all_middles & ~used;
  }
  for (std::uint32_t k = 0; k < structure.r2; ++k) {
    if (ports[k] < structure.n2) open_outputs |= SwitchMask{1} << k;
  }
}

Packing::Packing(const Structure& structure)
    : structure_(structure),
      bits_(bits_for(structure.inputs() * structure.m)),
      words_(words_for(structure.outputs(), bits_)) {}

void Packing::pack(const Configuration& routes, std::uint64_t* words) const {
  std::fill_n(words, words_, 0);
  const std::uint32_t ports_per_word = 64 / bits_;
  std::array<std::uint32_t, kMostSearchOutputSwitches> taken{};
  for (std::uint32_t p = 0; p < structure_.inputs(); ++p) {
    for_each_link(routes[p], [&](std::uint32_t middle, std::uint32_t k) {
      const std::uint32_t port = k * structure_.n2 + taken[k]++;
      const std::uint64_t code = 1 + p * structure_.m + middle;
      words[port / ports_per_word] |= code << port % ports_per_word * bits_;
    });
  }
}

Configuration Packing::unpack(const std::uint64_t* words) const {
  Configuration routes{};
  const std::uint32_t ports_per_word = 64 / bits_;
  const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
  for (std::uint32_t port = 0; port < structure_.outputs(); ++port) {
    const std::uint64_t code = words[port / ports_per_word] >> port % ports_per_word * bits_ & mask;
    if (code == 0) continue;
    const auto link = static_cast<std::uint32_t>(code - 1);
    routes[link / structure_.m] |= leg_word(link % structure_.m, port / structure_.n2);
  }
  return routes;
}

namespace {

/// Permutes up to kMost items in every order that has their colours descending; items of colour 0
/// stay last in one order.
template <std::size_t kMost>
class TieOrders {
 public:
  using Colours = std::array<std::uint64_t, kMost>;

  TieOrders(const Colours& colours, std::uint32_t size) : colours_(colours), size_(size) {
    for (std::uint32_t thing = 0; thing < size_; ++thing) {
      std::uint32_t place = thing;
      for (; place > 0 && colours_[order_[place - 1]] < colours_[thing]; --place) {
        order_[place] = order_[place - 1];
      }
      order_[place] = thing;
    }
  }

  std::uint32_t operator[](std::size_t place) const { return order_[place]; }

  /// Advances to the next order; false after the last one, when the first is restored.
  bool next() {
    std::size_t first = 0;
    while (first < size_ && colours_[order_[first]] != 0) {
      std::size_t last = first + 1;
      while (last < size_ && colours_[order_[last]] == colours_[order_[first]]) ++last;
      if (last - first > 1 && std::next_permutation(&order_[first], &order_[last])) return true;
      first = last;
    }
    return false;
  }

 private:
  Colours colours_;
  std::uint32_t size_;
  // One element more, so that the end has an address.
  std::array<std::uint32_t, kMost + 1> order_{};
};

using OutputOrders = TieOrders<kMostSearchOutputSwitches>;
using MiddleOrders = TieOrders<kMostSearchMiddles>;

/// Colours of the switches of a configuration; 0 for unused ones.
struct SwitchColours {
  OutputOrders::Colours outputs{};
  MiddleOrders::Colours middles{};
};

// Colours output switches by the middle switches that reach them, independently of the names of
// inputs and output switches.
SwitchColours colours_by_middles(const Configuration& routes, const Structure& structure) {
  SwitchColours colours;
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for_each_link(routes[p], [&](std::uint32_t middle, std::uint32_t k) {
      colours.outputs[k] |= std::uint64_t{1} << middle;
    });
  }
  return colours;
}

// More rounds separate no further configurations of networks of 9 inputs.
constexpr int kRounds = 3;

// Colours are sums of mixed numbers, which almost always differ for different sets. If not, two
// different switches look alike, which only costs time. The colour differs from 0 while the
// switches have no colours yet, so that used switches differ from unused ones.
std::uint64_t connection_colour(RouteWord route, const SwitchColours& colours) {
  std::uint64_t sum = 0;
  for_each_link(route, [&](std::uint32_t middle, std::uint32_t k) {
    sum += mix(colours.middles[middle] + 3 * colours.outputs[k] + 1);
  });
  return mix(sum);
}

// Gives every used switch a colour from its own and from those of its links and connections.
SwitchColours refined(const Configuration& routes, const Structure& structure,
                      const SwitchColours& colours) {
  SwitchColours result;
  for (std::uint32_t i = 0; i < structure.r1; ++i) {
    const RouteWord* ports = &routes[i * structure.n1];
    std::uint64_t siblings = 0;
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      siblings += connection_colour(ports[t], colours);
    }
    for (std::uint32_t t = 0; t < structure.n1; ++t) {
      const std::uint64_t own = mix(connection_colour(ports[t], colours) + 5 * siblings);
      for_each_link(ports[t], [&](std::uint32_t middle, std::uint32_t k) {
        result.outputs[k] += mix(own + colours.middles[middle]);
        result.middles[middle] += mix(own + colours.outputs[k]);
      });
    }
  }
  return result;
}

// 1 + the new number of a middle switch, indexed by 1 + the old one.
using MiddleNames = std::array<RouteWord, kMostSearchMiddles + 1>;

MiddleNames names_of(const MiddleOrders& order, std::uint32_t m) {
  MiddleNames names{};
  for (std::uint32_t place = 0; place < m; ++place) names[order[place] + 1] = place + 1;
  return names;
}

Configuration renamed(const Configuration& routes, const Structure& structure,
                      const OutputOrders& outputs, const MiddleNames& middles) {
  Configuration result{};
  for (std::uint32_t p = 0; p < structure.inputs(); ++p) {
    for (std::uint32_t k = 0; k < structure.r2; ++k) {
      result[p] |= middles[leg_to(routes[p], outputs[k])] << 4 * k;
    }
  }
  return result;
}

/// Sorts routes within input switches, and the input switches, in descending order.
void sort_inputs(Configuration& routes, const Structure& structure) {
  const std::uint32_t n = structure.n1;
  RouteWord* const begin = routes.data();
  RouteWord* const end = begin + structure.inputs();
  // Insertion sorts, because the few ports and switches are often sorted already.
  for (RouteWord* ports = begin; ports != end; ports += n) {
    for (std::uint32_t t = 1; t < n; ++t) {
      for (std::uint32_t u = t; u > 0 && ports[u - 1] < ports[u]; --u) {
        std::swap(ports[u - 1], ports[u]);
      }
    }
  }
  for (RouteWord* ports = begin + n; ports < end; ports += n) {
    for (RouteWord* low = ports;
         low != begin && std::lexicographical_compare(low - n, low, low, low + n); low -= n) {
      std::swap_ranges(low - n, low, low);
    }
  }
}

}  // namespace

Configuration canonical_form(const Configuration& routes, const Structure& structure,
                             Symmetry symmetry) {
  if (symmetry == Symmetry::kInputs) {
    Configuration result = routes;
    sort_inputs(result, structure);
    return result;
  }
  SwitchColours colours;
  if (symmetry == Symmetry::kOutputs) colours = colours_by_middles(routes, structure);
  // Output and middle switches get colours by their neighbours' colours, these by their
  // neighbours', and so on for a few rounds, independently of all names.
  for (int round = 0; symmetry == Symmetry::kMiddles && round < kRounds; ++round) {
    colours = refined(routes, structure, colours);
  }
  OutputOrders outputs(colours.outputs, structure.r2);
  MiddleOrders middles(colours.middles, structure.m);
  Configuration largest{};
  do {
    const MiddleNames names = names_of(middles, structure.m);
    do {
      Configuration candidate = renamed(routes, structure, outputs, names);
      sort_inputs(candidate, structure);
      largest = std::max(largest, candidate);
    } while (outputs.next());
  } while (middles.next());
  return largest;
}

}  // namespace flitcast::clos
