// SPDX-License-Identifier: Apache-2.0
#include "traffic/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/flit.h"
#include "config/catalog.h"

namespace flitcast {

PacketLengths::PacketLengths(std::vector<std::uint32_t> lengths, const std::vector<double>& weights)
    : lengths_(std::move(lengths)) {
  if (lengths_.empty() || lengths_.size() != weights.size()) {
    throw std::invalid_argument("every packet length needs one weight");
  }
  double sum = 0;
  double flits = 0;
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    if (lengths_[i] < 1 || lengths_[i] > kMaxPacketLength || !(weights[i] >= 0)) {
      throw std::invalid_argument("packet length or weight out of range");
    }
    sum += weights[i];
    flits += weights[i] * lengths_[i];
    bounds_.push_back(sum);
  }
  if (sum == 0) throw std::invalid_argument("all packet weights are zero");
  mean_ = flits / sum;
}

std::uint32_t PacketLengths::draw(Random& random) const {
  if (lengths_.size() == 1) return lengths_.front();
  // The product can round up to the sum; it then selects the last length with a share.
  const double mark = random.uniform() * bounds_.back();
  const auto chosen = std::upper_bound(bounds_.begin(), bounds_.end(), mark);
  const auto last = std::lower_bound(bounds_.begin(), bounds_.end(), bounds_.back());
  return lengths_[static_cast<std::size_t>(std::min(chosen, last) - bounds_.begin())];
}

PacketLengths make_packet_lengths(const Section& workload) {
  std::vector<std::uint32_t> lengths;
  for (const std::int64_t length : workload.integers("packet_length")) {
    lengths.push_back(static_cast<std::uint32_t>(length));
  }
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
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; })) {
    workload.fail("packet_weights", "all weights are zero", "give some length a weight above 0");
  }
  return PacketLengths(std::move(lengths), weights);
}

Load make_load(const Section& workload, const std::function<void()>& also) {
  ProblemList problems;
  std::unique_ptr<Injection> injection;
  std::optional<PacketLengths> lengths;
  problems.attempt(also);
  problems.attempt([&] { lengths = make_packet_lengths(workload); });
  if (lengths) {  // The load cannot be checked without a mean length.
    problems.attempt([&] {
      injection = find(injections(), workload.text("injection"))->make(workload, lengths->mean());
    });
  }
  problems.throw_if_any();
  return {std::move(injection), *std::move(lengths)};
}

std::vector<Param> load_params() {
  using nlohmann::json;
  std::vector<Param> params{
      Param::number("load", "flits per node and cycle", "Offered load.", 0).defaults_to(0.1)};
  for (Param& param : catalog_params(Param::choice("injection", "When a node creates packets.")
                                         .defaults_to(injections()[0].name),
                                     injections())) {
    params.push_back(std::move(param));
  }
  params.push_back(Param::integers("packet_length", "flits",
                                   "Length of the packets, or a list of lengths.", 1,
                                   kMaxPacketLength)
                       .defaults_to(json::array({5})));
  params.push_back(
      Param::numbers("packet_weights", "",
                     "Share of the packets for every length, in any scale; none: all equal.", 0,
                     1e9)
          .defaults_to(json::array()));
  return params;
}

}  // namespace flitcast
