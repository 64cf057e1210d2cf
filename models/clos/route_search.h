// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/bit_matrix.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Finds middle switches for all connections of a network at once, so that each link carries at
/// most one of them, by trying all.
class RouteSearch {
 public:
  /// An output switch that an input asks for, and the middle switch that serves it.
  struct Branch {
    std::uint32_t input = 0;
    std::uint32_t output_switch = 0;
    std::uint32_t middle = 0;
  };

  /// @param sets  Row j: the output switches that middle switch j may serve. Null: all of them;
  /// then
  ///              ways that differ only in the names of middle switches are one.
  RouteSearch(const Structure& structure, std::vector<Branch> branches,
              const BitMatrix* sets = nullptr);

  /// The number of ways, at most `most`, that are found within `most_steps` choices. Called once.
  std::uint64_t count(std::uint64_t most,
                      std::uint64_t most_steps = std::numeric_limits<std::uint64_t>::max());
  /// The branches of the first way; empty if there is none.
  const std::vector<Branch>& first() const { return first_; }
  /// The fewest links A of a way that was counted; one a branch if there is none.
  std::size_t fewest_links() const { return fewest_links_; }

 private:
  /// Places the branches from `next` on; middle switches below `touched` serve some already.
  void place(std::size_t next, std::uint32_t touched);

  Structure structure_;
  std::vector<Branch> branches_;
  bool any_sets_;
  BitMatrix free_;                    ///< Links B that may be used and are not.
  std::vector<std::uint32_t> users_;  ///< By link A: the input that uses it, or kNobody.
  std::vector<Branch> first_;
  std::size_t links_ = 0;  ///< Links A that the branches placed use.
  std::size_t fewest_links_;
  std::uint64_t ways_ = 0;
  std::uint64_t most_ = 0;
  std::uint64_t steps_left_ = 0;
};

}  // namespace flitcast::clos
