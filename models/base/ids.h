// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

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

/// Numbers or identifiers in ascending order, for loops and for functions over sequences:
/// `for (const NodeId node : topology.nodes())`.
template <class Number>
class NumberRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Number;
    using difference_type = std::ptrdiff_t;
    using pointer = const Number*;
    using reference = Number;

    constexpr explicit Iterator(std::size_t number) : number_(number) {}
    constexpr Number operator*() const {
      if constexpr (std::is_enum_v<Number>)
        return to_id<Number>(number_);
      else
        return static_cast<Number>(number_);
    }
    constexpr Iterator& operator++() {
      ++number_;
      return *this;
    }
    friend constexpr bool operator==(Iterator a, Iterator b) { return a.number_ == b.number_; }
    friend constexpr bool operator!=(Iterator a, Iterator b) { return a.number_ != b.number_; }

   private:
    std::size_t number_;
  };

  /// The numbers 0 .. count - 1.
  constexpr explicit NumberRange(std::size_t count) : NumberRange(0, count) {}
  /// The numbers first .. end - 1, none if `end` is not above `first`.
  constexpr NumberRange(std::size_t first, std::size_t end)
      : first_(first), end_(end < first ? first : end) {}
  constexpr Iterator begin() const { return Iterator(first_); }
  constexpr Iterator end() const { return Iterator(end_); }
  operator std::vector<Number>() const {  // NOLINT(google-explicit-constructor)
    return std::vector<Number>(begin(), end());
  }

 private:
  std::size_t first_;
  std::size_t end_;
};

/// The numbers 0 .. count - 1 in the type of `count`.
template <class Number>
constexpr NumberRange<Number> numbers(Number count) {
  return NumberRange<Number>(count);
}
/// The numbers first .. end - 1 in the type of `end`.
template <class Number>
constexpr NumberRange<Number> numbers(std::size_t first, Number end) {
  return {first, end};
}

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
