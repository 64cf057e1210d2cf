// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitcast::tlm {

/// A range of initiator addresses that belongs to a target.
struct Window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;    ///< Bytes, at least 1; base + size is at most 2^64.
  std::size_t target = 0;    ///< Number of the target; several windows may lead to one.
  std::uint64_t offset = 0;  ///< Target address of the first byte.

  /// The last byte of the window, as an initiator address.
  std::uint64_t last() const { return base + (size - 1); }
  /// Translates an address inside the window to the target's address, and back.
  std::uint64_t to_target(std::uint64_t address) const { return address - base + offset; }
  std::uint64_t to_initiator(std::uint64_t address) const { return address - offset + base; }
};

/// "0x1000 to 0x1fff (target 2)".
std::string to_text(const Window& window);

/// Maps addresses to targets, equally for all initiators. Immutable.
class AddressMap {
 public:
  /// Throws std::invalid_argument with every problem, one per line: a window that is empty, that
  /// exceeds the address space of the initiators or of its target, or whose target does not exist;
  /// two windows that overlap. A target without a window is allowed.
  AddressMap(std::vector<Window> windows, std::size_t targets);

  /// The window that contains all of address .. address + bytes - 1; null if there is none. Zero
  /// bytes count as one. Time: logarithmic in the number of windows.
  const Window* find(std::uint64_t address, std::uint64_t bytes) const;

  /// The windows in ascending order of their bases.
  const std::vector<Window>& windows() const { return windows_; }

 private:
  std::vector<Window> windows_;
};

}  // namespace flitcast::tlm
