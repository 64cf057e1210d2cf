// SPDX-License-Identifier: Apache-2.0
#include "stats/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace flitcast {
namespace {

/// A transient that biases the mean by more than this means that the network is not in steady
/// state.
constexpr double kMostBias = 0.05;

std::string growth_text(const QueueGrowth::Part& part) {
  return fmt::format("{} flits in the window, beyond the {:.0f} that chance explains", part.growth,
                     part.chance);
}

/// The text "; the network kept up until ..."; empty without a collapse.
std::string collapse_text(const std::optional<QueueGrowth::Collapse>& collapse) {
  if (!collapse) return "";
  return fmt::format(
      "; the network kept up until cycle {} and accepted {:.3f} of {:.3f} flits per node and cycle "
      "since",
      collapse->cycle, collapse->accepted, collapse->offered);
}

/// The reason why the backlog proves an overload; empty if it does not.
std::string overload(const QueueGrowth::Growth& growth) {
  if (growth.destination && growth.destination->beyond_chance()) {
    return fmt::format("the backlog for node {} grew by {}", growth.destination->node,
                       growth_text(*growth.destination));
  }
  if (growth.source.beyond_chance()) {
    return fmt::format("the backlog of node {} grew by {}", growth.source.node,
                       growth_text(growth.source));
  }
  if (growth.whole.beyond_chance()) return "the backlog grew by " + growth_text(growth.whole);
  return "";
}

/// The rise of the latencies through the window, by the creation of the packets; 0 unless it is
/// beyond chance.
double latency_rise(const LatencyProbe& latency) {
  const std::vector<double> means = latency.spans().means();
  if (means.empty()) return 0;
  const auto middle = means.begin() + static_cast<std::ptrdiff_t>(means.size() / 2);
  const double rise = 2 * (mean_of({middle, means.end()}) - mean_of({means.begin(), middle}));
  return rise < 3 * *half_width_95(means) ? 0 : rise;
}

/// True if the network may still have been filling up: some packets take longer than the time until
/// the middle of the window, and their latencies do not rise as in overload. In overload, the
/// backlog delays every packet by the time in which as many flits are created.
bool filling(const Evidence& evidence) {
  const Histogram& latency = evidence.latency.packet_latency();
  if (latency.quantile(0.95) <= evidence.warmup + evidence.window / 2) return false;
  const QueueGrowth::Part& whole = evidence.growth->whole;
  const double delay =
      static_cast<double>(whole.growth) / whole.created * static_cast<double>(evidence.window);
  return latency_rise(evidence.latency) <= std::max(delay / 2, 0.0);
}

void assess_start(const Evidence& evidence, Verdict& verdict) {
  if (!evidence.interval.is_settled() || verdict.status == Status::kSaturated) return;
  const Transient transient = transient_of(evidence.latency.spans(), evidence.interval.correlation);
  if (transient.share == 0) return;
  const auto settled =
      static_cast<std::uint64_t>(static_cast<double>(evidence.window) * transient.share);
  const std::string text = fmt::format(
      "packets created in the first {} cycles of the window take otherwise than the rest, which "
      "changes the mean latency by {:.1f} %: the warm-up is too short; set measure.warmup to {} or "
      "more",
      settled, 100 * transient.bias, evidence.warmup + 2 * settled);
  verdict.notes.push_back(text);
  if (transient.bias <= kMostBias || verdict.status != Status::kOk) return;
  verdict.status = Status::kNotSteady;
  verdict.reason = text;
}

void assess_precision(const Evidence& evidence, Verdict& verdict) {
  if (evidence.precision == 0 || verdict.status != Status::kOk) return;
  const MeanInterval& interval = evidence.interval;
  const double mean = evidence.latency.packet_latency().mean();
  if (interval.half_width && *interval.half_width <= evidence.precision * mean) return;
  verdict.status = Status::kImprecise;
  verdict.reason = fmt::format(
      "the mean latency is known to {}, not to the {:.3g} % asked for: set measure.window to {} or "
      "more",
      interval.half_width ? fmt::format("{:.3g} %", 100 * *interval.half_width / mean)
                          : fmt::format("an unknown precision ({})", to_text(interval.unknown)),
      100 * evidence.precision, interval.sufficient_window(evidence.precision));
}

}  // namespace

const char* const kVerdictHelp =
    R"(saturated: the network falls behind what it is offered. The load exceeds the capacity that
`check` tells beforehand; or in the measured window the flits that wait for their arrival,
all together or those of one source or for one destination, became more than chance explains
(three standard deviations of what is created in such a window, and at least three of the
longest packet in flight) and went on to do so in its second half; or packets of the window had
not arrived measure.drain_limit cycles after it; or the latencies of a class of packets rose
through the window by a tenth of it or more. Latencies grow with the window.
not_steady: the warm-up was too short. The start of the window changes the mean latency by more
than 5 %, in a window of at least 40 relaxation times; or packets take longer than the warm-up
and half the window.
unmeasured: no packet was created in the window, or none of them arrived.
imprecise: the confidence interval of the mean latency is unknown, or wider than
measure.precision.
All four end with exit code 3.)";

const char* to_text(Status status) {
  constexpr std::array<const char*, 7> kNames{"ok",        "saturated", "not_steady", "unmeasured",
                                              "imprecise", "deadlock",  "stopped"};
  return kNames[static_cast<std::size_t>(status)];
}

void assess_class(const std::string& name, const ClassProbe& probe, const Evidence& all,
                  Verdict& verdict) {
  constexpr std::uint64_t kLeastWindow = 100;  // In packets: a network fills up in a shorter one.
  const auto offered = static_cast<double>(probe.flits_offered());
  const double growth = offered - static_cast<double>(probe.flits_accepted());
  const double length = offered / static_cast<double>(probe.latency().count());
  const double rise = latency_rise(probe.latency());
  if (verdict.status == Status::kSaturated || all.window < kLeastWindow * all.longest_packet ||
      10 * rise < static_cast<double>(all.window) || growth <= 3 * std::sqrt(length * offered)) {
    return;
  }
  verdict.status = Status::kSaturated;
  verdict.reason = fmt::format(
      "latencies of class {} rose by {:.0f} cycles in the window of {}, as they do where more is "
      "offered than gets through",
      name, rise, all.window);
}

Verdict assess(const Evidence& evidence) {
  Verdict verdict;
  const std::string growth = evidence.growth ? overload(*evidence.growth) : "";
  const std::string since = evidence.growth ? collapse_text(evidence.growth->collapse) : "";
  if (!evidence.over_capacity.empty()) {
    verdict = {Status::kSaturated, evidence.over_capacity};
  } else if (evidence.made < evidence.due) {
    verdict = {Status::kSaturated,
               fmt::format("{} deliveries of the window were not made {} cycles after it{}",
                           evidence.due - evidence.made, evidence.drain, since)};
    const std::uint64_t longest = evidence.latency.packet_latency().max();
    if (growth.empty() && evidence.drain < longest) {
      verdict.reason += fmt::format(
          ", but others took up to {} cycles and the backlog did not grow: set "
          "measure.drain_limit to {} or more to see if they arrive",
          longest, 2 * longest);
    }
  } else if (evidence.latency.count() == 0) {
    verdict = {Status::kUnmeasured, evidence.due == 0 ? "no packet was created in the window"
                                                      : "no packet of the window arrived"};
  } else if (!growth.empty() && filling(evidence)) {
    verdict = {Status::kNotSteady,
               "packets take longer than the warm-up and half the window: take longer ones"};
  } else if (!growth.empty()) {
    verdict = {Status::kSaturated, growth + since};
  }
  assess_start(evidence, verdict);
  assess_precision(evidence, verdict);
  if (evidence.window < evidence.longest_packet) {
    verdict.notes.push_back(
        fmt::format("the window of {} cycles is shorter than a packet, which takes {}",
                    evidence.window, evidence.longest_packet));
  }
  return verdict;
}

}  // namespace flitcast
