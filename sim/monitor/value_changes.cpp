// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "sim/monitor/flit_monitor.h"

namespace flitcast {
namespace {

using Value = MonitoredSignal::Value;

/// The signals of a buffer, computed from the residencies of its flits.
std::vector<MonitoredSignal> signals_of(const SignalPlace& place,
                                        const std::vector<const FlitResidency*>& residencies,
                                        Cycle from) {
  std::vector<MonitoredSignal> signals{
      {place, "flits", 16}, {place, "source", 32}, {place, "packet", 32}, {place, "flit", 16}};
  // The first move of a flit is its arrival, the second its departure.
  std::vector<std::pair<Cycle, const FlitResidency*>> moves;
  for (const FlitResidency* const residency : residencies) {
    const Cycle arrived = residency->arrived == FlitResidency::kBefore ? from : residency->arrived;
    moves.emplace_back(arrived, residency);
    if (residency->left != kNever) moves.emplace_back(residency->left, residency);
  }
  sort_by(moves, [](const auto& move) { return move.first; });
  std::deque<const FlitResidency*> held;
  auto move = moves.cbegin();
  for (Cycle cycle = from;; cycle = move->first) {
    for (; move != moves.cend() && move->first == cycle; ++move) {
      const auto found = std::find(held.begin(), held.end(), move->second);
      if (found == held.end()) {
        held.push_back(move->second);
      } else {
        held.erase(found);
      }
    }
    std::array<Value, 4> values{held.size()};
    if (!held.empty()) {
      const FlitResidency& front = *held.front();
      values = {held.size(), index(front.source), index(front.packet) & 0xffffffff, front.flit};
    }
    for (std::size_t s = 0; s < signals.size(); ++s) signals[s].record(cycle, values[s]);
    if (move == moves.cend()) return signals;
  }
}

/// Returns the signals of buffers and all others, sorted by scope.
std::vector<MonitoredSignal> signals_of(const MonitoredFlits& flits) {
  std::map<SignalPlace, std::vector<const FlitResidency*>> buffers;
  for (const FlitResidency& residency : flits.residencies) {
    buffers[{index(residency.router), SignalPlace::Side::kInput, residency.port, residency.vc}]
        .push_back(&residency);
  }
  std::vector<MonitoredSignal> signals = flits.signals;
  for (const auto& [place, residencies] : buffers) {
    append(signals, signals_of(place, residencies, flits.plan.from));
  }
  sort_by(signals, [](const MonitoredSignal& signal) { return signal.place; });
  return signals;
}

/// The identifier code of variable `number`, made of printable characters.
std::string code_of(std::size_t number) {
  constexpr std::size_t kLetters = '~' - '!' + 1;
  std::string code;
  do {
    code += static_cast<char>('!' + number % kLetters);
    number /= kLetters;
  } while (number-- != 0);
  return code;
}

using Scope = std::vector<std::string>;

/// Closes the scopes that are not on the path and opens those that are.
std::string scope_change(const Scope& scope, const Scope& path) {
  const auto common = static_cast<std::size_t>(
      std::mismatch(scope.begin(), scope.end(), path.begin(), path.end()).first - scope.begin());
  std::string text;
  for (std::size_t s = common; s < scope.size(); ++s) text += "$upscope $end\n";
  for (std::size_t s = common; s < path.size(); ++s) {
    text += fmt::format("$scope module {} $end\n", path[s]);
  }
  return text;
}

/// The declarations of signals. An empty date keeps file converters from adding the current date.
std::string header_of(const std::vector<MonitoredSignal>& signals) {
  std::string text = "$date\n \n$end\n$version flitcast $end\n$timescale 1 ns $end\n";
  Scope scope;
  for (std::size_t s = 0; s < signals.size(); ++s) {
    text += scope_change(std::exchange(scope, signals[s].place.path()), signals[s].place.path());
    text += fmt::format("$var wire {} {} {} $end\n", signals[s].bits, code_of(s), signals[s].name);
  }
  return text + scope_change(scope, {}) + "$enddefinitions $end\n";
}

}  // namespace

std::string value_changes(const MonitoredFlits& flits) {
  const std::vector<MonitoredSignal> signals = signals_of(flits);
  // Each code includes the space before it and the line end after it.
  const auto codes =
      tabulated(signals.size(), [](std::size_t s) { return ' ' + code_of(s) + '\n'; });
  // All changes by cycle, and within a cycle by signal.
  std::vector<std::tuple<Cycle, std::size_t, const Value*>> changes;
  for (std::size_t s = 0; s < signals.size(); ++s) {
    for (const auto& [cycle, value] : signals[s].changes) changes.emplace_back(cycle, s, &value);
  }
  std::sort(changes.begin(), changes.end());
  Cycle written = flits.plan.from;
  std::string text = header_of(signals) + fmt::format("#{}\n", index(written));
  for (const auto& [cycle, signal, value] : changes) {
    if (cycle != written) text += fmt::format("#{}\n", index(cycle));
    written = cycle;
    text += *value ? fmt::format("b{:b}", **value) : "bx";
    text += codes[signal];
  }
  return std::move(text) + fmt::format("#{}\n", index(flits.end));
}

}  // namespace flitcast
