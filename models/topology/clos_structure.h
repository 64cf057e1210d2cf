// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"

namespace flitcast::clos {

/// Input ports, output ports and middle switches of a Clos network, each numbered from 0. Input
/// and output switches are plain indices, because arithmetic on port numbers yields them.
enum class InputId : std::uint32_t {};
enum class OutputId : std::uint32_t {};
enum class MiddleId : std::uint32_t {};

/// The three-stage network v(m, n1, r1, n2, r2): r1 input switches (n1 x m), m middle switches
/// (r1 x r2) and r2 output switches (m x n2), all of them multicast crossbars.
///
///   input switch i --- link A(i, j) --- middle switch j --- link B(j, k) --- output switch k
///
/// Exactly one link joins each input switch with each middle switch and each middle switch with
/// each output switch. v(m, n, r) stands for n1 = n2 = n, r1 = r2 = r.
/// Source: Yang and Masson, "Nonblocking broadcast switching networks", IEEE Transactions on
/// Computers 40 (1991); CS838 lecture notes (1999), "A wide-sense nonblocking multicast network".
struct Structure {
  std::uint32_t m = 1;   ///< Middle switches.
  std::uint32_t n1 = 1;  ///< Ports of an input switch.
  std::uint32_t r1 = 1;  ///< Input switches.
  std::uint32_t n2 = 1;  ///< Ports of an output switch.
  std::uint32_t r2 = 1;  ///< Output switches.

  static Structure symmetric(std::uint32_t m, std::uint32_t n, std::uint32_t r) {
    return {m, n, r, n, r};
  }

  std::uint32_t inputs() const { return n1 * r1; }
  std::uint32_t outputs() const { return n2 * r2; }
  std::uint32_t input_switch(InputId input) const { return index(input) / n1; }
  std::uint32_t output_switch(OutputId output) const { return index(output) / n2; }
  bool is_symmetric() const { return n1 == n2 && r1 == r2; }

  /// Crosspoints of all crossbars: r1 n1 m + m r1 r2 + r2 m n2.
  std::uint64_t crosspoints() const {
    return std::uint64_t{m} * (std::uint64_t{inputs()} + std::uint64_t{r1} * r2 + outputs());
  }
};

/// Most switches of a stage and most ports of a network; larger ones do not fit in memory.
inline constexpr std::uint32_t kMostSwitches = 1U << 20;
inline constexpr std::uint32_t kMostPorts = 1U << 24;

/// Throws std::invalid_argument with every reason why the network cannot be built: sizes of 0, too
/// many switches or ports.
void require_buildable(const Structure& structure);

/// "v(13, 4, 4)" or "v(13, 4, 4, 8, 2)".
std::string to_text(const Structure& structure);

/// A (2k + 1)-stage network: a three-stage one whose middle switches are (2k - 1)-stage networks
/// themselves. The middle switches of the innermost level are crossbars.
///
/// Level 0 is the whole network; level l + 1 consists of the middle switches of level l, so its
/// networks have as many inputs and outputs as level l has input and output switches. For a
/// symmetric network with plan (n, r, m): r = n r of the next level.
/// Source: CS838 lecture notes (1999), Theorem 5; Yang and Masson, IEEE Transactions on Computers
/// 40 (1991).
struct MultistageStructure {
  std::vector<Structure> levels;  ///< Outermost first.

  /// 2k + 1.
  std::size_t stages() const { return 2 * levels.size() + 1; }
  /// The number of networks of a level: the product of m over the enclosing levels.
  std::uint64_t networks(std::size_t level) const;
};

}  // namespace flitcast::clos
