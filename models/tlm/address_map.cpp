// SPDX-License-Identifier: Apache-2.0
#include "tlm/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast::tlm {
namespace {

/// Returns whether all of first .. first + size - 1 are addresses.
bool in_address_space(std::uint64_t first, std::uint64_t size) {
  return first + (size - 1) >= first;
}

void append_faults(const Window& window, std::size_t targets, std::vector<std::string>& faults) {
  const std::string start = fmt::format("window at 0x{:x}", window.base);
  if (window.target >= targets) {
    faults.push_back(fmt::format("{}: there is no target {}; targets are 0 to {}", start,
                                 window.target, targets - 1));
  }
  if (window.size == 0) {
    faults.push_back(start + ": it is empty; give it at least one byte");
  } else if (!in_address_space(window.base, window.size) ||
             !in_address_space(window.offset, window.size)) {
    faults.push_back(
        fmt::format("{}: its 0x{:x} bytes pass the end of the address space; make it "
                    "smaller, or its base or offset",
                    start, window.size));
  }
}

/// `windows` are in ascending order of their bases.
void append_overlaps(const std::vector<Window>& windows, std::vector<std::string>& faults) {
  for (std::size_t later = 1; later < windows.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (windows[earlier].last() < windows[later].base) continue;
      faults.push_back(fmt::format("windows {} and {} overlap; move or shorten one",
                                   to_text(windows[earlier]), to_text(windows[later])));
    }
  }
}

}  // namespace

std::string to_text(const Window& window) {
  return fmt::format("0x{:x} to 0x{:x} (target {})", window.base, window.last(), window.target);
}

AddressMap::AddressMap(std::vector<Window> windows, std::size_t targets)
    : windows_(std::move(windows)) {
  std::vector<std::string> problems;
  for (const Window& window : windows_) append_faults(window, targets, problems);
  sort_by(windows_, &Window::base);
  append_overlaps(windows_, problems);
  if (!problems.empty()) throw std::invalid_argument(joined(problems, "\n"));
}

const Window* AddressMap::find(std::uint64_t address, std::uint64_t bytes) const {
  const auto behind = std::upper_bound(
      windows_.begin(), windows_.end(), address,
      [](std::uint64_t value, const Window& window) { return value < window.base; });
  if (behind == windows_.begin()) return nullptr;
  const Window& window = *std::prev(behind);
  // Meaningless if the address lies beyond the window.
  const std::uint64_t space = window.last() - address;
  return address <= window.last() && (bytes == 0 || bytes - 1 <= space) ? &window : nullptr;
}

}  // namespace flitcast::tlm
