// SPDX-License-Identifier: Apache-2.0
#include "stats/queue_growth.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/sequences.h"

namespace flitcast {
namespace {

constexpr double kDeviations = 3;
/// The variance over the estimate of it from ten spans, at both ends of its interval of 98 %: nine
/// degrees of freedom over the quantiles of chi-squared at 0.99 and 0.01.
constexpr double kLeastOfOwn = 9 / 21.666;
constexpr double kMostOfOwn = 9 / 2.0879;

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::int64_t difference(std::uint64_t later, std::uint64_t earlier) {
  return static_cast<std::int64_t>(later) - static_cast<std::int64_t>(earlier);
}

std::uint32_t at_most_32_bits(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, UINT32_MAX));
}

/// True if `a` shows less evidence of overload than `b`: growth beyond chance counts most, then the
/// ratio of growth to chance.
bool less_to_blame(const QueueGrowth::Part& a, const QueueGrowth::Part& b) {
  const auto evidence = [](const QueueGrowth::Part& part) {
    return std::pair(part.beyond_chance(),
                     part.chance > 0 ? static_cast<double>(part.growth) / part.chance : 0.0);
  };
  return evidence(a) < evidence(b);
}

}  // namespace

void Snapshot::add(const Packet& packet) {
  const auto count = [&](auto& flits, auto& longest, NodeId node) {
    flits[index(node)] += packet.length;
    longest[index(node)] = std::max<std::uint64_t>(longest[index(node)], packet.length);
  };
  count(from, longest_from, packet.source);
  if (packet.receivers != 1 || index(packet.destination) >= to.size()) return;
  count(to, longest_to, packet.destination);
  flows.push_back({index(packet.source), index(packet.destination), packet.length});
}

void QueueGrowth::observe(Snapshot snapshot) {
  if (!begin_) {
    begin_ = last_ = std::move(snapshot);
    return;
  }
  add_span(snapshot.created);
  last_ = std::move(snapshot);
  if (spans() == kSpans / 2) take_middle();
  if (spans() < kSpans) last_->flows = {};
}

void QueueGrowth::add_span(const std::vector<std::uint64_t>& created) {
  std::vector<std::uint32_t>& span = created_.emplace_back(created.size());
  for (std::size_t n = 0; n < span.size(); ++n) {
    span[n] = at_most_32_bits(created[n] - last_->created[n]);
  }
}

void QueueGrowth::take_middle() {
  middle_from_ = last_->from;
  middle_to_ = last_->to;
}

void QueueGrowth::widen() {
  take_middle();
  for (std::size_t span = 0; span < created_.size() / 2; ++span) {
    std::vector<std::uint32_t>& both = created_[span];
    if (span > 0) both = created_[2 * span];
    for (std::size_t n = 0; n < both.size(); ++n) {
      both[n] = at_most_32_bits(std::uint64_t{both[n]} + created_[2 * span + 1][n]);
    }
  }
  created_.resize(created_.size() / 2);
}

// The variance of the flits that a node creates in a span, about the node's mean and pooled over
// the nodes from `begin` to before `end`, divided by the mean of a span.
double QueueGrowth::dispersion(std::size_t begin, std::size_t end) const {
  double squares = 0, flits = 0;
  for (std::size_t n = begin; n < end; ++n) {
    double of_node = 0, created = 0;
    for (const std::vector<std::uint32_t>& span : created_) {
      const auto in_span = static_cast<double>(span[n]);
      created += in_span;
      of_node += in_span * in_span;
    }
    flits += static_cast<double>(last_->created[n] - begin_->created[n]);
    squares += of_node - created * created / kSpans;
  }
  return flits > 0 ? squares / (kSpans - 1) / (flits / kSpans) : 0;
}

namespace {

using Part = QueueGrowth::Part;
using Counts = std::vector<std::uint64_t>;

/// The part of the network with the most evidence of overload. `begin`, `middle` and `end` count
/// the flits of each part, `longest` has the flits of the longest packet in flight at the end;
/// `given` returns the flits created for a part in the window.
template <class Dispersion, class Given>
Part worst(const Counts& begin, const Counts& middle, const Counts& end, const Counts& longest,
           Dispersion&& dispersion, Given&& given) {
  Part worst;
  for (std::uint32_t n = 0; n < end.size(); ++n) {
    const auto created = static_cast<double>(given(n));
    const auto packet = static_cast<double>(longest[n]);
    const double variance = std::max(dispersion(n) * created, packet * packet);
    const Part part{n, difference(end[n], begin[n]), difference(end[n], middle[n]), created,
                    kDeviations * std::sqrt(variance)};
    if (n == 0 || less_to_blame(worst, part)) worst = part;
  }
  return worst;
}

}  // namespace

// Returns the flow that has grown most; of several such flows, the first by source and destination.
std::optional<QueueGrowth::Flow> QueueGrowth::worst_flow() const {
  std::vector<Flow> changes = begin_->flows;
  for (Flow& flow : changes) flow.flits = -flow.flits;
  changes.insert(changes.end(), last_->flows.begin(), last_->flows.end());
  const auto key = [](const Flow& flow) { return std::pair(flow.source, flow.destination); };
  sort_by(changes, key);
  Flow worst;
  for (auto next = changes.begin(); next != changes.end();) {
    Flow flow{next->source, next->destination};
    for (; next != changes.end() && key(*next) == key(flow); ++next) flow.flits += next->flits;
    if (flow.flits > worst.flits) worst = flow;
  }
  return worst.flits > 0 ? std::optional(worst) : std::nullopt;
}

std::optional<QueueGrowth::Growth> QueueGrowth::growth() const {
  if (spans() != kSpans) return std::nullopt;
  const auto packets = static_cast<double>(last_->packets_created - begin_->packets_created);
  const auto flits = static_cast<double>(sum(last_->created) - sum(begin_->created));
  const double length = packets > 0 ? flits / packets : 0;
  const double pooled = std::max(length, dispersion(0, last_->created.size()));
  const auto of_all = [=](auto) { return pooled; };
  const auto of_source = [&](std::size_t n) {
    const double own = dispersion(n, n + 1);
    return std::max(length, std::clamp(pooled, own * kLeastOfOwn, own * kMostOfOwn));
  };
  const std::uint64_t longest =
      *std::max_element(last_->longest_from.begin(), last_->longest_from.end());
  const auto total = [](const Counts& counts) { return Counts{sum(counts)}; };
  Growth growth;
  growth.whole =
      worst(total(begin_->from), total(middle_from_), total(last_->from), Counts{longest}, of_all,
            [&](auto) { return sum(last_->created) - sum(begin_->created); });
  growth.source = worst(begin_->from, middle_from_, last_->from, last_->longest_from, of_source,
                        [&](auto n) { return last_->created[n] - begin_->created[n]; });
  if (sum(begin_->to) + sum(last_->to) != 0) {
    growth.destination =
        worst(begin_->to, middle_to_, last_->to, last_->longest_to, of_all, [&](auto n) {
          // The flits of a packet that is arriving count as ejected and as waiting, so the
          // sum can be negative.
          return std::max<std::int64_t>(0, difference(last_->ejected[n], begin_->ejected[n]) +
                                               difference(last_->to[n], begin_->to[n]));
        });
  }
  growth.flow = worst_flow();
  return growth;
}

void FlitHistory::widen() {
  for (std::size_t i = 1; 2 * i < counts_.size(); ++i) counts_[i] = counts_[2 * i];
  counts_.resize(counts_.size() / 2 + 1);
}

double FlitHistory::stayed(std::size_t begin, std::size_t end) const {
  return static_cast<double>(difference(counts_[end].created, counts_[begin].created) -
                             difference(counts_[end].accepted, counts_[begin].accepted));
}

// The growth before the collapse must be less, by more than chance, than that of an equal number of
// spans after it. If the network fell behind late, the rate of growth is that of a few spans, so
// chance explains a larger difference.
std::optional<FlitHistory::Since> FlitHistory::collapse(double chance) const {
  if (counts_.size() != kSpans + 1) return std::nullopt;
  constexpr double kLast = kSpans / 8;  // NOLINT(bugprone-integer-division): it is a multiple of 8
  const double half = stayed(kSpans * 7 / 8, kSpans) / kLast / 2;
  const auto left = [](std::size_t begin) { return static_cast<double>(kSpans - begin); };
  std::size_t first = 0;
  for (std::size_t i = 1; i < kSpans; ++i) {
    if (stayed(i, kSpans) - half * left(i) > stayed(first, kSpans) - half * left(first)) first = i;
  }
  const auto before = static_cast<double>(first);
  const double missing = stayed(first, kSpans) / left(first) * before - stayed(0, first);
  if (first < kSpans / 16 || missing <= chance * std::sqrt(before / left(first)))
    return std::nullopt;
  return Since{first,
               {counts_[kSpans].created - counts_[first].created,
                counts_[kSpans].accepted - counts_[first].accepted}};
}

}  // namespace flitcast
