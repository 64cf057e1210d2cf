// SPDX-License-Identifier: Apache-2.0
#include "clos/adversaries/shrink.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <variant>

#include "clos/trace.h"

namespace flitcast::clos {
namespace {

class Shrinker {
 public:
  Shrinker(std::vector<Event> trace, const Opponent& opponent)
      : trace_(std::move(trace)), opponent_(opponent) {}

  // Keeps a short end, because the blocked request is among the last events, mostly right behind
  // its causes.
  void keep_short_end() {
    for (std::size_t length = 16; length < trace_.size(); length *= 2) {
      if (accept({trace_.end() - static_cast<std::ptrdiff_t>(length), trace_.end()})) return;
    }
  }

  bool drop_events() {
    bool dropped = false;
    for (std::size_t chunk = std::max<std::size_t>(trace_.size() / 2, 1); chunk > 0; chunk /= 2) {
      for (std::size_t begin = 0; begin < trace_.size();) {
        if (accept(without(begin, chunk))) {
          dropped = true;
        } else {
          begin += chunk;
        }
      }
    }
    return dropped;
  }

  bool drop_ports() {
    bool dropped = false;
    for (std::size_t e = 0; e < trace_.size(); ++e) {
      for (std::size_t port = 0; port < ports(e);) {
        if (accept(without_port(e, port))) {
          dropped = true;
        } else {
          ++port;
        }
      }
    }
    return dropped;
  }

  const std::vector<Event>& trace() const { return trace_; }

 private:
  bool accept(const std::vector<Event>& candidate) {
    auto played = until_blocked(candidate, opponent_);
    if (played) trace_ = std::move(*played);
    return played.has_value();
  }

  std::vector<Event> without(std::size_t begin, std::size_t count) const {
    const std::size_t end = std::min(begin + count, trace_.size());
    std::vector<Event> rest(trace_.begin(), trace_.begin() + static_cast<std::ptrdiff_t>(begin));
    rest.insert(rest.end(), trace_.begin() + static_cast<std::ptrdiff_t>(end), trace_.end());
    return rest;
  }

  // The number of ports that may be dropped: all of a multicast's, none of a unicast's.
  std::size_t ports(std::size_t e) const {
    if (e >= trace_.size()) return 0;
    const auto* connect = std::get_if<ConnectEvent>(&trace_[e]);
    return connect == nullptr || connect->outputs.size() == 1 ? 0 : connect->outputs.size();
  }

  std::vector<Event> without_port(std::size_t e, std::size_t port) const {
    std::vector<Event> fewer = trace_;
    auto& outputs = std::get<ConnectEvent>(fewer[e]).outputs;
    outputs.erase(outputs.begin() + static_cast<std::ptrdiff_t>(port));
    return fewer;
  }

  std::vector<Event> trace_;
  const Opponent& opponent_;
};

}  // namespace

bool is_blocked(const Event& event) {
  if (const auto* connect = std::get_if<ConnectEvent>(&event)) return connect->blocked();
  const auto* join = std::get_if<JoinEvent>(&event);
  return join != nullptr && join->outcome == Join::kBlocked;
}

std::optional<std::vector<Event>> until_blocked(const std::vector<Event>& trace,
                                                const Opponent& opponent) {
  ConnectionAdmission control = opponent.fresh();
  std::vector<Event> played;
  for (const Event& event : trace) {
    try {
      played.push_back(replay(event, control));
    } catch (const InvalidRequest&) {
      continue;
    }
    if (is_blocked(played.back())) return played;
  }
  return std::nullopt;
}

std::vector<Event> shrink(const std::vector<Event>& trace, const Opponent& opponent) {
  auto played = until_blocked(trace, opponent);
  if (!played) throw std::invalid_argument("no request of the sequence is blocked");
  Shrinker shrinker(std::move(*played), opponent);
  shrinker.keep_short_end();
  for (bool smaller = true; smaller;) {
    smaller = shrinker.drop_events();
    smaller = shrinker.drop_ports() || smaller;
  }
  return shrinker.trace();
}

}  // namespace flitcast::clos
