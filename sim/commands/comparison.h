// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/sweep/sweep.h"

namespace flitcast {

/// The algorithms that carry out the collective operation of an experiment, on its network, ranked
/// by their analytic time; nothing is run. A message length may change the order: the lengths where
/// it does are sought between 1 flit and the longest packet, by bisection between powers of two, so
/// that a pair of changes within one such interval goes unseen.
///
/// An analytic time is exact where no two messages of a round share a channel, and the least there
/// can be elsewhere.
class Comparison {
 public:
  /// One algorithm at one length.
  struct Row {
    std::string algorithm;
    std::uint64_t cycles = 0;  ///< Analytic.
    std::uint64_t rounds = 0;
    std::uint64_t shared = 1;  ///< Most messages of a round on a channel.
    /// Lengths from which on the row below is the faster one, and this one again, in turn.
    std::vector<std::uint32_t> changes{};
  };
  struct Table {
    std::uint32_t length = 0;
    std::vector<Row> rows{};  ///< The fastest first.
  };
  /// From `length` on this one is the fastest.
  struct Fastest {
    std::uint32_t length = 1;
    std::string algorithm;
  };
  /// An algorithm for the operation that cannot be used here, or of which no time is known.
  struct Left {
    std::string algorithm;
    std::string reason;
  };

  /// @param sweep    Must outlive the comparison.
  /// @param point    A point of the sweep whose algorithm is replaced by every other.
  /// @param lengths  Of the tables.
  /// Throws ConfigError for a point that has no collective operation.
  Comparison(const Sweep& sweep, std::size_t point, std::vector<std::uint32_t> lengths);

  const std::string& title() const { return title_; }
  const std::vector<Table>& tables() const { return tables_; }
  const std::vector<Fastest>& fastest() const { return fastest_; }
  const std::vector<Left>& left() const { return left_; }

  nlohmann::ordered_json to_json() const;
  std::string text() const;

 private:
  struct Time {
    std::uint64_t cycles = 0;
    std::uint64_t rounds = 0;
    std::uint64_t shared = 1;
  };

  Configuration configuration(const std::string& algorithm, std::uint32_t length) const;
  /// Tries the algorithm at every length of a table; false, and a reason, if it does not fit.
  bool fits(const std::string& algorithm);
  /// Absent where there is none.
  const std::optional<Time>& time(const std::string& algorithm, std::uint32_t length);
  /// Above all others where there is none.
  std::uint64_t cycles(std::size_t algorithm, std::uint32_t length);
  bool is_faster(std::size_t one, std::size_t other, std::uint32_t length);
  std::size_t fastest_at(std::uint32_t length);
  std::vector<std::uint32_t> changes(std::size_t one, std::size_t other);
  void find_fastest(std::uint32_t begin, std::uint32_t end);
  void add_table(std::uint32_t length);

  const Sweep& sweep_;
  const std::size_t point_;
  const std::vector<std::uint32_t> lengths_;
  std::string title_;
  std::vector<std::string> algorithms_;  // That fit, in the order of the catalog.
  std::map<std::pair<std::string, std::uint32_t>, std::optional<Time>> times_;
  std::vector<Table> tables_;
  std::vector<Fastest> fastest_;
  std::vector<Left> left_;
};

/// One comparison for all points of the sweep that differ in nothing but algorithm and length; of
/// `only` alone if it is given.
std::vector<Comparison> comparisons_of(const Sweep& sweep, std::optional<std::size_t> only);

}  // namespace flitcast
