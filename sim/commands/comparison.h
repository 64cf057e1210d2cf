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

/// Ranks the algorithms for the collective operation of an experiment, on its network, by their
/// analytic time, without running them. The order may depend on the message length: the lengths at
/// which it changes are found between 1 flit and the longest packet by bisection between powers of
/// two, so two changes within one such interval are missed.
///
/// An analytic time is exact if no two messages of a round share a channel, and a lower bound
/// otherwise.
class Comparison {
 public:
  /// One algorithm at one length.
  struct Row {
    std::string algorithm;
    std::uint64_t cycles = 0;  ///< Analytic time.
    std::uint64_t rounds = 0;
    std::uint64_t shared = 1;  ///< Most messages of a round on a channel.
    /// Lengths at which the order of this row and the next changes: the next row becomes the faster
    /// one at the first, this row at the second, and so on.
    std::vector<std::uint32_t> changes{};
  };
  struct Table {
    std::uint32_t length = 0;
    std::vector<Row> rows{};  ///< The rows, the fastest first.
  };
  /// The algorithm that is the fastest from `length` on.
  struct Fastest {
    std::uint32_t length = 1;
    std::string algorithm;
  };
  /// An algorithm that is not applicable here, or whose time is unknown.
  struct Left {
    std::string algorithm;
    std::string reason;
  };

  /// @param sweep    Must outlive the comparison.
  /// @param point    A point of the sweep; the other algorithms replace its algorithm.
  /// @param lengths  The message lengths of the tables.
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
  /// Tries the algorithm at every length of a table; false, with a reason in left_, if it does not
  /// fit.
  bool fits(const std::string& algorithm);
  /// The time of the algorithm; absent if it is unknown.
  const std::optional<Time>& time(const std::string& algorithm, std::uint32_t length);
  /// The cycles of the algorithm; the largest number if they are unknown.
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
  std::vector<std::string> algorithms_;  // The algorithms that fit, in the order of the catalog.
  std::map<std::pair<std::string, std::uint32_t>, std::optional<Time>> times_;
  std::vector<Table> tables_;
  std::vector<Fastest> fastest_;
  std::vector<Left> left_;
};

/// One comparison for all points of the sweep that differ only in algorithm and length; if `only`
/// is given, only for that point.
std::vector<Comparison> comparisons_of(const Sweep& sweep, std::optional<std::size_t> only);

}  // namespace flitcast
