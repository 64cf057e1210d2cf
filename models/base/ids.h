// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace flitcast {

/// Distinct integer types, so that a port number cannot be passed as a node number. A *node* is
/// where packets start and end (a terminal); a *router* switches them.
enum class NodeId : std::uint32_t {};
enum class RouterId : std::uint32_t {};
enum class PortId : std::uint16_t {};
enum class VcId : std::uint8_t {};

/// The id of a packet, unique in a run and independent of the number of threads: the source node in
/// the upper 32 bits, the packet's serial number at that node, from 0, in the lower 32.
enum class PacketId : std::uint64_t {};

/// The plain number behind an identifier, for indexing and printing.
template <class Id>
constexpr std::underlying_type_t<Id> index(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// The identifier with a plain number. Builds with assertions abort if the number exceeds the range
/// of the identifier.
template <class Id>
constexpr Id to_id(std::size_t number) {
  using Number = std::underlying_type_t<Id>;
  assert(number <= std::numeric_limits<Number>::max());
  return Id{static_cast<Number>(number)};
}

/// The identifiers 0 .. count - 1, for loops: `for (const NodeId node : topology.nodes())`.
template <class Id>
class IdRange {
 public:
  class Iterator {
   public:
    constexpr explicit Iterator(std::size_t number) : number_(number) {}
    constexpr Id operator*() const { return to_id<Id>(number_); }
    constexpr Iterator& operator++() {
      ++number_;
      return *this;
    }
    friend constexpr bool operator!=(Iterator a, Iterator b) { return a.number_ != b.number_; }

   private:
    std::size_t number_;
  };

  constexpr explicit IdRange(std::size_t count) : count_(count) {}
  constexpr Iterator begin() const { return Iterator(0); }
  constexpr Iterator end() const { return Iterator(count_); }

 private:
  std::size_t count_;
};

/// A point in simulated time: the number of clock cycles since reset.
enum class Cycle : std::uint64_t {};

/// Later than every cycle that a simulation reaches.
inline constexpr Cycle kNever{~std::uint64_t{0}};

constexpr Cycle operator+(Cycle cycle, std::uint64_t cycles) {
  return Cycle{index(cycle) + cycles};
}
constexpr std::uint64_t operator-(Cycle later, Cycle earlier) {
  return index(later) - index(earlier);
}

}  // namespace flitcast
