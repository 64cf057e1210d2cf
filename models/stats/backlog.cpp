// SPDX-License-Identifier: Apache-2.0
#include "stats/backlog.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace flitcast {
namespace {

constexpr double kDeviations = 3;

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::int64_t difference(std::uint64_t later, std::uint64_t earlier) {
  return static_cast<std::int64_t>(later) - static_cast<std::int64_t>(earlier);
}

/// How much two parts deserve blame: proof before size.
bool less_to_blame(const BacklogGrowth::Part& a, const BacklogGrowth::Part& b) {
  const auto share = [](const BacklogGrowth::Part& part) {
    return part.chance > 0 ? static_cast<double>(part.growth) / part.chance : 0.0;
  };
  return std::make_tuple(a.beyond_chance(), share(a)) <
         std::make_tuple(b.beyond_chance(), share(b));
}

}  // namespace

void Census::add(const Packet& packet) {
  from[index(packet.source)] += packet.length;
  if (packet.receivers != 1 || index(packet.destination) >= to.size()) return;
  to[index(packet.destination)] += packet.length;
  flows[std::uint64_t{index(packet.source)} << 32 | index(packet.destination)] += packet.length;
}

void BacklogGrowth::observe(Census census) {
  created_.push_back(std::move(census.created));
  census.created.clear();
  if (spans() == 0) begin_ = census;
  if (spans() == kSpans / 2) middle_ = census;
  last_ = std::move(census);
}

void BacklogGrowth::widen() {
  middle_ = last_;
  for (std::size_t kept = 1; 2 * kept < created_.size(); ++kept) {
    created_[kept] = std::move(created_[2 * kept]);
  }
  created_.resize(created_.size() / 2 + 1);
}

// The variance of each node's spans about their own mean, pooled.
double BacklogGrowth::dispersion() const {
  const std::uint64_t packets = last_->packets_created - begin_->packets_created;
  const auto flits = static_cast<double>(sum(created_.back()) - sum(created_.front()));
  if (packets == 0) return 0;
  const double length = flits / static_cast<double>(packets);
  const auto spans = static_cast<double>(this->spans());
  if (spans < 2) return length;
  double squares = 0;
  for (std::size_t n = 0; n < created_.back().size(); ++n) {
    double of_node = 0;
    for (std::size_t span = 1; span < created_.size(); ++span) {
      const auto in_span = static_cast<double>(created_[span][n] - created_[span - 1][n]);
      of_node += in_span * in_span;
    }
    const auto created = static_cast<double>(created_.back()[n] - created_.front()[n]);
    squares += of_node - created * created / spans;
  }
  return std::max(length, squares / (spans - 1) / (flits / spans));
}

namespace {

using Part = BacklogGrowth::Part;
using Counts = std::vector<std::uint64_t>;

/// The parts of the network that `begin`, `middle` and `end` count, of which each was given so many
/// flits in the window, and the one most to blame.
template <class Given>
Part worst(const Counts& begin, const Counts& middle, const Counts& end, double dispersion,
           Given&& given) {
  Part worst;
  for (std::uint32_t n = 0; n < end.size(); ++n) {
    const auto created = static_cast<double>(given(n));
    const Part part{n, difference(end[n], begin[n]), difference(end[n], middle[n]), created,
                    kDeviations * std::sqrt(dispersion * created)};
    if (n == 0 || less_to_blame(worst, part)) worst = part;
  }
  return worst;
}

}  // namespace

std::optional<BacklogGrowth::Flow> BacklogGrowth::worst_flow() const {
  Flow worst;
  std::uint64_t worst_key = 0;
  for (const auto& [key, flits] : last_->flows) {
    const auto before = begin_->flows.find(key);
    const std::int64_t growth =
        difference(flits, before == begin_->flows.end() ? 0 : before->second);
    if (growth < worst.growth || (growth == worst.growth && key >= worst_key)) continue;
    worst = {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), growth};
    worst_key = key;
  }
  return worst.growth > 0 ? std::optional(worst) : std::nullopt;
}

std::optional<BacklogGrowth::Growth> BacklogGrowth::growth() const {
  if (spans() != kSpans) return std::nullopt;
  const double dispersion = this->dispersion();
  const auto total = [](const Counts& counts) { return Counts{sum(counts)}; };
  Growth growth;
  growth.whole = worst(total(begin_->from), total(middle_->from), total(last_->from), dispersion,
                       [&](auto) { return sum(created_.back()) - sum(created_.front()); });
  growth.source = worst(begin_->from, middle_->from, last_->from, dispersion,
                        [&](auto n) { return created_.back()[n] - created_.front()[n]; });
  if (sum(begin_->to) + sum(last_->to) != 0) {
    growth.destination = worst(begin_->to, middle_->to, last_->to, dispersion, [&](auto n) {
      // A packet that is arriving counts twice, hence the bound.
      return std::max<std::int64_t>(0, difference(last_->ejected[n], begin_->ejected[n]) +
                                           difference(last_->to[n], begin_->to[n]));
    });
  }
  growth.flow = worst_flow();
  return growth;
}

}  // namespace flitcast
