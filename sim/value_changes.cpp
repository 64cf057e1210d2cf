// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/flit_watch.h"

namespace flitcast {
namespace {

/// What is shown of a buffer.
struct Shown {
  std::size_t flits = 0;
  const FlitStay* front = nullptr;
};

struct Variable {
  const char* name;
  unsigned bits;
  std::optional<std::uint64_t> (*value)(const Shown& shown);
};

template <class Value>
std::optional<std::uint64_t> of_front(const Shown& shown, Value value) {
  return shown.front == nullptr ? std::nullopt : std::optional<std::uint64_t>(value(*shown.front));
}

const std::array<Variable, 4>& variables() {
  static const std::array<Variable, 4> all{{
      {"flits", 16, [](const Shown& s) { return std::optional<std::uint64_t>(s.flits); }},
      {"source", 32,
       [](const Shown& s) { return of_front(s, [](const auto& f) { return index(f.source); }); }},
      {"packet", 32,
       [](const Shown& s) {
         return of_front(s, [](const auto& f) { return index(f.packet) & 0xffffffff; });
       }},
      {"flit", 16,
       [](const Shown& s) { return of_front(s, [](const auto& f) { return f.flit; }); }},
  }};
  return all;
}

/// "b101" for 5, without leading zeros; "bx" for nothing.
std::string bits_of(const std::optional<std::uint64_t>& value) {
  if (!value) return "bx";
  std::string bits = "b";
  for (std::uint64_t rest = *value; rest != 0; rest >>= 1) bits += rest % 2 == 0 ? '0' : '1';
  if (bits.size() == 1) bits += '0';
  std::reverse(bits.begin() + 1, bits.end());
  return bits;
}

/// The short name of the variable `number`, of printable characters.
std::string code_of(std::size_t number) {
  constexpr std::size_t kLetters = '~' - '!' + 1;
  std::string code;
  do {
    code += static_cast<char>('!' + number % kLetters);
    number /= kLetters;
  } while (number-- != 0);
  return code;
}

using BufferKey = std::tuple<RouterId, PortId, VcId>;

BufferKey key_of(const FlitStay& stay) { return {stay.router, stay.port, stay.vc}; }

/// Flits that come and go, in the order of time.
class Dump {
 public:
  explicit Dump(const WatchedFlits& flits) : flits_(flits) {
    for (const FlitStay& stay : flits.stays) buffers_[key_of(stay)];
    std::size_t number = 0;
    for (auto& [key, buffer] : buffers_) buffer.number = number++;
  }

  std::string text() {
    header();
    collect_changes();
    tell_time(flits_.plan.from);
    auto change = apply(changes_.cbegin(), flits_.plan.from);
    changed_.clear();
    for (auto& [key, buffer] : buffers_) tell(buffer, true);
    while (change != changes_.end()) {
      tell_time(change->cycle);
      change = apply(change, change->cycle);
      tell_changed();
    }
    tell_time(flits_.end);
    return std::move(text_);
  }

 private:
  struct Buffer {
    std::size_t number = 0;
    std::deque<const FlitStay*> held;
    std::array<std::optional<std::uint64_t>, 4> told{};
  };
  struct Change {
    Cycle cycle;
    Buffer* buffer;
    const FlitStay* stay;
    bool comes;
  };
  using Changes = std::vector<Change>;

  void header() {
    // A date of its own, though empty, keeps those who convert the file from adding theirs.
    text_ = "$date\n \n$end\n$version flitcast $end\n$timescale 1 ns $end\n";
    std::optional<RouterId> open;
    for (const auto& [key, buffer] : buffers_) {
      const auto& [router, port, vc] = key;
      if (open != router) {
        if (open) text_ += "$upscope $end\n";
        text_ += fmt::format("$scope module router_{} $end\n", index(router));
        open = router;
      }
      text_ += fmt::format("$scope module in_{} $end\n$scope module vc_{} $end\n", index(port),
                           index(vc));
      for (std::size_t v = 0; v < variables().size(); ++v) {
        text_ += fmt::format("$var wire {} {} {} $end\n", variables()[v].bits,
                             code_of(buffer.number * variables().size() + v), variables()[v].name);
      }
      text_ += "$upscope $end\n$upscope $end\n";
    }
    if (open) text_ += "$upscope $end\n";
    text_ += "$enddefinitions $end\n";
  }

  void tell_time(Cycle cycle) { text_ += fmt::format("#{}\n", index(cycle)); }

  /// By cycle, and in a cycle in the order of the stays.
  void collect_changes() {
    for (const FlitStay& stay : flits_.stays) {
      Buffer* const buffer = &buffers_[key_of(stay)];
      const bool before = stay.arrived == FlitStay::kBefore;
      changes_.push_back({before ? flits_.plan.from : stay.arrived, buffer, &stay, true});
      if (stay.left != kNever) changes_.push_back({stay.left, buffer, &stay, false});
    }
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.cycle < b.cycle; });
  }

  /// What changes in a cycle, from `change` on; returns the first change of a later one.
  Changes::const_iterator apply(Changes::const_iterator change, Cycle cycle) {
    for (; change != changes_.end() && change->cycle == cycle; ++change) {
      std::deque<const FlitStay*>& held = change->buffer->held;
      if (change->comes) {
        held.push_back(change->stay);
      } else {
        held.erase(std::find(held.begin(), held.end(), change->stay));
      }
      changed_.push_back(change->buffer);
    }
    return change;
  }

  void tell_changed() {
    std::sort(changed_.begin(), changed_.end(),
              [](const Buffer* a, const Buffer* b) { return a->number < b->number; });
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (Buffer* const buffer : changed_) tell(*buffer, false);
    changed_.clear();
  }

  void tell(Buffer& buffer, bool all) {
    const Shown shown{buffer.held.size(), buffer.held.empty() ? nullptr : buffer.held.front()};
    for (std::size_t v = 0; v < variables().size(); ++v) {
      const std::optional<std::uint64_t> value = variables()[v].value(shown);
      if (!all && value == buffer.told[v]) continue;
      text_ += bits_of(value);
      text_ += ' ';
      text_ += code_of(buffer.number * variables().size() + v);
      text_ += '\n';
      buffer.told[v] = value;
    }
  }

  const WatchedFlits& flits_;
  std::map<BufferKey, Buffer> buffers_;
  Changes changes_;
  std::vector<Buffer*> changed_;  // In the cycle that is told.
  std::string text_;
};

}  // namespace

std::string value_changes(const WatchedFlits& flits) { return Dump(flits).text(); }

}  // namespace flitcast
