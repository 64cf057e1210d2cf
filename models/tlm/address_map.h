// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitcast::tlm {

/// A range of the initiators' addresses behind which there is a target.
struct Window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;    ///< Bytes, at least 1; base + size is at most 2^64.
  std::size_t target = 0;    ///< Number of the target; several windows may lead to one.
  std::uint64_t offset = 0;  ///< What the target calls the first byte.

  /// The last byte of the window, for initiators.
  std::uint64_t last() const { return base + (size - 1); }
  /// The target's name for an address inside the window, and back.
  std::uint64_t to_target(std::uint64_t address) const { return address - base + offset; }
  std::uint64_t to_initiator(std::uint64_t address) const { return address - offset + base; }
};

/// "0x1000 to 0x1fff (target 2)".
std::string to_text(const Window& window);

/// Which target answers to an address, the same for all initiators. Immutable.
class AddressMap {
 public:
  /// Throws std::invalid_argument that names every problem, one a line: a window that is empty,
  /// passes the end of the address space, of its target's too, or leads to a target that there is
  /// not; two that overlap. A target without a window is no problem.
  AddressMap(std::vector<Window> windows, std::size_t targets);

  /// The window in which all of address .. address + bytes - 1 lies; none: it is not mapped.
  /// Zero bytes count as one. Time: logarithmic in the number of windows.
  const Window* find(std::uint64_t address, std::uint64_t bytes) const;

  /// In rising order.
  const std::vector<Window>& windows() const { return windows_; }

 private:
  std::vector<Window> windows_;
};

}  // namespace flitcast::tlm
