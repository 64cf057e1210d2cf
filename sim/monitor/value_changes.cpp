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

/// Records a value of a signal if it differs from the last one.
void record(MonitoredSignal& signal, Cycle cycle, const Value& value) {
  std::vector<MonitoredSignal::Change>& changes = signal.changes;
  if (changes.empty() || changes.back().value != value) changes.push_back({cycle, value});
}

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
    for (std::size_t s = 0; s < signals.size(); ++s) record(signals[s], cycle, values[s]);
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

/// Writes the declarations and changes of signals.
class Dump {
 public:
  explicit Dump(const MonitoredFlits& flits) : flits_(flits), signals_(signals_of(flits)) {
    for (std::size_t s = 0; s < signals_.size(); ++s) codes_.push_back(' ' + code_of(s) + '\n');
  }

  std::string text() {
    header();
    // All changes by cycle, and within a cycle by signal.
    std::vector<std::tuple<Cycle, std::size_t, const Value*>> changes;
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      for (const auto& [cycle, value] : signals_[s].changes) changes.emplace_back(cycle, s, &value);
    }
    std::sort(changes.begin(), changes.end());
    Cycle written = flits_.plan.from;
    write_time(written);
    for (const auto& [cycle, signal, value] : changes) {
      if (cycle != written) write_time(cycle);
      written = cycle;
      text_ += *value ? fmt::format("b{:b}", **value) : "bx";
      text_ += codes_[signal];
    }
    write_time(flits_.end);
    return std::move(text_);
  }

 private:
  void header() {
    // An empty date keeps file converters from adding the current date.
    text_ = "$date\n \n$end\n$version flitcast $end\n$timescale 1 ns $end\n";
    for (std::size_t s = 0; s < signals_.size(); ++s) {
      const MonitoredSignal& signal = signals_[s];
      open_scope(signal.place.path());
      text_ += fmt::format("$var wire {} {} {} $end\n", signal.bits, code_of(s), signal.name);
    }
    open_scope({});
    text_ += "$enddefinitions $end\n";
  }

  /// Closes the scopes that are not on the path and opens those that are.
  void open_scope(const std::vector<std::string>& path) {
    const auto common = static_cast<std::size_t>(
        std::mismatch(scope_.begin(), scope_.end(), path.begin(), path.end()).first -
        scope_.begin());
    for (std::size_t s = common; s < scope_.size(); ++s) text_ += "$upscope $end\n";
    for (std::size_t s = common; s < path.size(); ++s) {
      text_ += fmt::format("$scope module {} $end\n", path[s]);
    }
    scope_ = path;
  }

  void write_time(Cycle cycle) { text_ += fmt::format("#{}\n", index(cycle)); }

  const MonitoredFlits& flits_;
  const std::vector<MonitoredSignal> signals_;
  std::vector<std::string>
      codes_;  // Each code includes the space before it and the line end after it.
  std::vector<std::string> scope_;
  std::string text_;
};

}  // namespace

std::string value_changes(const MonitoredFlits& flits) { return Dump(flits).text(); }

}  // namespace flitcast
