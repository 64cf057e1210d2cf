// SPDX-License-Identifier: Apache-2.0
#include "sim/host/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

namespace flitcast {

Progress::Progress(bool quiet)
    : visible_(!quiet && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + std::chrono::milliseconds(500)) {}

Progress::~Progress() { clear(); }

void Progress::clear() {
  if (drawn_) std::cerr << "\r\033[K" << std::flush;
  drawn_ = false;
}

void Progress::show(const std::string& phase, std::uint64_t done, std::uint64_t planned,
                    const char* unit, const std::string& more) {
  if (!visible_ || Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(100);
  drawn_ = true;
  std::cerr << "\r\033[K" << fmt::format("{:<8} ", phase);
  if (planned == 0) {
    std::cerr << done << ' ' << unit << more << std::flush;
    return;
  }
  constexpr std::uint64_t kWidth = 40;
  const auto filled = static_cast<std::size_t>(kWidth * done / planned);
  std::cerr << fmt::format("[{}{}] {} of {} {}{}", std::string(filled, '#'),
                           std::string(kWidth - filled, '.'), done, planned, unit, more)
            << std::flush;
}

}  // namespace flitcast
