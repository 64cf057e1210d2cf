// SPDX-License-Identifier: Apache-2.0
#include "traffic/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/flit.h"
#include "base/sequences.h"
#include "config/catalog.h"

namespace flitcast {

PacketLengths::PacketLengths(std::vector<std::uint32_t> lengths, const std::vector<double>& weights)
    : lengths_(std::move(lengths)), choice_(weights) {
  if (lengths_.empty() || lengths_.size() != weights.size()) {
    throw std::invalid_argument("every packet length needs one weight");
  }
  double flits = 0;
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    if (lengths_[i] < 1 || lengths_[i] > kMaxPacketLength || !(weights[i] >= 0)) {
      throw std::invalid_argument("packet length or weight out of range");
    }
    flits += weights[i] * lengths_[i];
  }
  if (choice_.sum() == 0) throw std::invalid_argument("all packet weights are zero");
  mean_ = flits / choice_.sum();
}

PacketRates PacketLengths::rates(double load) const {
  PacketRates rates;
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    if (choice_.share(i) > 0) rates[lengths_[i]] += choice_.share(i) * load / mean_;
  }
  return rates;
}

void add(PacketRates& rates, const PacketRates& others) {
  for (const auto& [length, rate] : others) rates[length] += rate;
}

namespace {

/// The sum over all packets of their length to the given power.
double moment(const PacketRates& rates, int power) {
  double sum = 0;
  for (const auto& [length, rate] : rates) sum += rate * std::pow(length, power);
  return sum;
}

}  // namespace

// Counts from the shortest length, so that rounding does not change a mean of equal lengths.
double mean_length_of_flits(const PacketRates& rates) {
  const double flits = moment(rates, 1);
  if (flits == 0) return 0;
  const double shortest = rates.begin()->first;
  double longer = 0;
  for (const auto& [length, rate] : rates) longer += rate * length * (length - shortest);
  return shortest + longer / flits;
}

double rarest_period(const PacketRates& rates) {
  constexpr double kRare = 0.1;
  constexpr double kDecisive = 0.05;
  const double all_packets = moment(rates, 0);
  const double all_squares = moment(rates, 2);
  double period = 0;
  const auto consider = [&](double packets, double squares) {
    if (packets == 0 || packets >= kRare * all_packets || squares < kDecisive * all_squares) return;
    period = std::max(period, 1 / packets);
  };
  double packets = 0, squares = 0;  // Sums over the packets that are as long or longer.
  for (auto longest = rates.rbegin(); longest != rates.rend(); ++longest) {
    const auto& [length, rate] = *longest;
    packets += rate;
    squares += rate * length * length;
    consider(rate, rate * length * length);
    consider(packets, squares);
  }
  return period;
}

PacketLengths make_packet_lengths(const Section& workload) {
  std::vector<std::uint32_t> lengths =
      mapped(workload.integers("packet_length"),
             [](std::int64_t length) { return static_cast<std::uint32_t>(length); });
  if (lengths.empty()) {
    workload.fail("packet_length", "the list is empty", "name at least one length");
  }
  std::vector<double> weights = workload.numbers("packet_weights");
  if (weights.empty()) weights.assign(lengths.size(), 1.0);
  if (weights.size() != lengths.size()) {
    workload.fail("packet_weights",
                  fmt::format("{} weights for {} packet lengths", weights.size(), lengths.size()),
                  "give every length one weight, or leave the weights out");
  }
  if (all_of(weights, [](double weight) { return weight == 0; })) {
    workload.fail("packet_weights", "all weights are zero", "give some length a weight above 0");
  }
  return PacketLengths(std::move(lengths), weights);
}

double Load::mean_rate() const {
  if (rates.empty()) return 0;
  return std::accumulate(rates.begin(), rates.end(), 0.0) / static_cast<double>(rates.size());
}

namespace {

/// The rates of the nodes, or a single rate of all nodes: `brought`, scaled to the mean `load`
/// unless `load` is 0; `load` itself if `brought` is empty.
std::vector<double> rates_of(const Section& workload, std::size_t nodes,
                             std::vector<double> brought) {
  std::vector<double> loads = workload.numbers("load");
  if (brought.empty()) {
    if (loads.size() == 1 || loads.size() == nodes) return loads;
    workload.fail("load", fmt::format("{} loads for {} nodes", loads.size(), nodes),
                  "give one load, or a list with one for each node");
  }
  if (loads.front() == 0) return brought;
  const double sum = std::accumulate(brought.begin(), brought.end(), 0.0);
  for (double& rate : brought) rate *= loads.front() * static_cast<double>(nodes) / sum;
  return brought;
}

/// The injection process of each rate; nodes of equal rates share one.
std::vector<std::shared_ptr<const Injection>> injections_of(const Section& workload,
                                                            const std::vector<double>& rates,
                                                            double mean_length) {
  const InjectionEntry& entry = *find(injections(), workload.text("injection"));
  Section own = workload;
  std::map<double, std::shared_ptr<const Injection>> known;
  std::vector<std::shared_ptr<const Injection>> injections;
  for (const double rate : rates) {
    std::shared_ptr<const Injection>& one = known[rate];
    if (!one) {
      own.set("load", rate);
      one = entry.make(own, mean_length);
    }
    injections.push_back(one);
  }
  return injections;
}

}  // namespace

Load make_load(const Section& workload, std::size_t nodes,
               const std::function<std::vector<double>()>& also) {
  ProblemList problems;
  std::vector<double> rates;
  std::vector<std::shared_ptr<const Injection>> injections;
  std::optional<PacketLengths> lengths;
  problems.attempt([&] { rates = also(); });
  problems.attempt([&] { lengths = make_packet_lengths(workload); });
  if (lengths) {  // The load cannot be checked without a mean length.
    problems.attempt([&] {
      rates = rates_of(workload, nodes, std::move(rates));
      injections = injections_of(workload, rates, lengths->mean());
    });
  }
  problems.throw_if_any();
  return {std::move(injections), *std::move(lengths), std::move(rates)};
}

std::vector<Param> load_params() {
  const Param load =
      Param::numbers("load", "flits per node and cycle",
                     "Offered load: of every node, or a list with one for each node.", 0)
          .defaults_to(0.1);
  const Param injection =
      Param::choice("injection", "When a node creates packets.").defaults_to(injections()[0].name);
  return concatenated<Param>(
      {{load}, catalog_params(injection, injections()), packet_length_params()});
}

std::vector<Param> packet_length_params() {
  using nlohmann::json;
  return {Param::integers("packet_length", "flits", "Length of the packets, or a list of lengths.",
                          1, kMaxPacketLength)
              .defaults_to(json::array({5})),
          Param::numbers("packet_weights", "",
                         "Share of the packets for every length, in any scale; none: all equal.", 0,
                         1e9)
              .defaults_to(json::array())};
}

}  // namespace flitcast
