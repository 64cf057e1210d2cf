// SPDX-License-Identifier: Apache-2.0
// The pattern `mix`: each packet takes one of several patterns.
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "traffic/pattern.h"

namespace flitcast {
namespace {

class Mix : public Pattern {
 public:
  /// @param weights  The shares of the patterns in the packets, in any scale.
  Mix(std::vector<std::unique_ptr<Pattern>> patterns, std::vector<double> weights)
      : patterns_(std::move(patterns)), choice_(std::move(weights)) {}

  NodeId destination(NodeId source, Random& random) const override {
    return patterns_[choice_.draw(random)]->destination(source, random);
  }
  std::optional<double> share(NodeId source, NodeId destination) const override {
    return sum_if_all<double>(numbers(patterns_.size()), [&](std::size_t p) {
      const std::optional<double> share = patterns_[p]->share(source, destination);
      return share ? std::optional(choice_.share(p) * *share) : share;
    });
  }
  std::string note() const override {
    const auto notes = mapped(patterns_, [](const auto& pattern) { return pattern->note(); });
    return joined(filtered(notes, [](const std::string& note) { return !note.empty(); }), "; ");
  }

 private:
  const std::vector<std::unique_ptr<Pattern>> patterns_;
  const WeightedChoice choice_;
};

std::unique_ptr<Pattern> make_of_parts(const Section& workload, const Topology& topology,
                                       const Routing* routing) {
  ProblemList problems;
  std::vector<std::unique_ptr<Pattern>> patterns;
  std::vector<double> weights;
  double sum = 0;
  for (const Section& part : workload.sections("mix")) {
    problems.attempt([&] { patterns.push_back(make_pattern(part, topology, routing)); });
    weights.push_back(part.number("weight"));
    sum += weights.back();
  }
  problems.throw_if_any();
  if (sum == 0) {
    workload.fail("mix", "no pattern has a weight above 0",
                  "write [{pattern: uniform, weight: 1}]");
  }
  return std::make_unique<Mix>(std::move(patterns), std::move(weights));
}

std::unique_ptr<Pattern> make_mix(const Section& workload, const Topology& topology) {
  return make_of_parts(workload, topology, nullptr);
}

std::unique_ptr<Pattern> make_mix_for_paths(const Section& workload, const Topology& topology,
                                            const Routing& routing) {
  return make_of_parts(workload, topology, &routing);
}

// A part of a mix is a pattern without rates of its own, and not a mix itself.
std::vector<Param> mix_params() {
  Catalog<PatternEntry> parts{};
  for (const PatternEntry& entry : patterns()) {
    if (!entry.brings_rates && entry.make != make_mix) parts.add(entry);
  }
  const Param weight =
      Param::number("weight", "", "Share of the packets, in any scale.", 0, 1e9).defaults_to(1);
  return {Param::sections("mix", "Patterns, of which every packet takes one.",
                          concatenated<Param>({{weight}, pattern_params(parts)}))};
}

}  // namespace

PatternEntry mix_pattern() {
  return {{"mix",
           "each packet by one of several patterns with weights",
           mix_params,
           make_mix,
           {"mix: [{pattern: uniform, weight: 3}, {pattern: tornado}]"}},
          false,
          make_mix_for_paths};
}

}  // namespace flitcast
