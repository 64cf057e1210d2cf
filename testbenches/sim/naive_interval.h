// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "figure_paths.h"

namespace flitcast::program {

/// The interval of a mean latency, computed from the packets of a log.
struct NaiveInterval {
  Json half_width;    ///< Null if it is not known.
  Json unknown;       ///< Null if it is.
  Json sufficient;    ///< Null if it is.
  double relaxation;  ///< In cycles.
};

/// @param packets  Those created in the window of `window` cycles from `begin` on.
/// @param hop      Cycles from router to router in an idle network.
/// @param service  Mean cycles for which a packet that holds a channel holds it.
/// @param slowest  The least relaxation time, in cycles.
/// @param longest  The most cycles that a packet holds a channel.
inline NaiveInterval naive_interval(const Packets& packets, std::uint64_t begin,
                                    std::uint64_t window, double hop, double service,
                                    double slowest, double longest) {
  const auto n = static_cast<double>(packets.size());
  const double r = mean(each(packets, latency));
  double waits = 0, squared_waits = 0, second = 0, third = 0;
  std::map<std::uint64_t, double> counts, errors;  // By span.
  for (const LoggedPacket& packet : packets) {
    const auto cycles = static_cast<double>(latency(packet));
    const double wait =
        cycles - hop * static_cast<double>(packet.hops) - static_cast<double>(packet.length);
    waits += wait;
    squared_waits += wait * wait;
    second += std::pow(cycles - r, 2) / n;
    third += std::pow(cycles - r, 3) / n;
    const std::uint64_t span = (packet.created - begin) * 64 / window;
    counts[span] += 1;
    errors[span] += cycles - r;
  }
  const double variance = squared_waits / n - std::pow(waits / n, 2);
  NaiveInterval found{{}, {}, {}, 0};
  found.relaxation =
      std::max({4 * variance / service, std::pow(third / second, 2) / service, slowest});
  double half_width = 0, last_correlation = 0;
  bool empty = n < 100;
  for (const std::uint64_t groups : {8, 16}) {
    std::vector<double> sums(groups), sizes(groups);
    for (const auto& [span, error] : errors) sums[span * groups / 64] += error;
    for (const auto& [span, count] : counts) sizes[span * groups / 64] += count;
    double squares = 0, products = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      squares += sums[g] * sums[g];
      if (g > 0) products += sums[g] * sums[g - 1];
      empty = empty || sizes[g] == 0;
    }
    const auto k = static_cast<double>(groups);
    last_correlation = products / squares + 1 / k;
    const double lag = std::clamp(last_correlation, 0.0, 0.8);
    const double student = groups == 8 ? 2.364624 : 2.131450;  // 7 and 15 degrees of freedom.
    half_width = std::max(half_width,
                          student * std::sqrt(squares * k / (k - 1) * (1 + lag) / (1 - lag)) / n);
  }
  const double deviation = std::sqrt(second);
  if (empty) {
    found.unknown = "few packets";
  } else if (static_cast<double>(window) < 40 * found.relaxation) {
    found.unknown = "short window";
  } else if (last_correlation > 0.5) {
    found.unknown = "correlated spans";
  } else if (half_width >= 0.75 * deviation) {
    found.unknown = "wide";
  } else {
    found.half_width = std::max(half_width / (1 - half_width / deviation), 3 * longest / n);
    return found;
  }
  const auto cycles = static_cast<double>(window);
  const double needed = std::max({2 * cycles, 80 * found.relaxation, 200 * cycles / n});
  const double digits = std::pow(10, std::floor(std::log10(needed)) - 1);
  found.sufficient = static_cast<std::uint64_t>(std::ceil(needed / digits - 1e-9) * digits);
  return found;
}

}  // namespace flitcast::program
