// SPDX-License-Identifier: Apache-2.0
#include "traffic/make_load.h"

#include <optional>
#include <utility>

#include "base/flit.h"
#include "config/catalog.h"
#include "config/problem.h"

namespace flitcast {
namespace {

/// Runs `make`; its problems join the list.
template <class Make>
void collect(std::vector<Problem>& problems, Make make) {
  try {
    make();
  } catch (const ConfigError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

}  // namespace

Load make_load(const Section& workload, const std::function<void()>& also) {
  std::vector<Problem> problems;
  std::unique_ptr<Injection> injection;
  std::optional<PacketLengths> lengths;
  collect(problems, also);
  collect(problems, [&] { lengths = make_packet_lengths(workload); });
  if (lengths) {  // Without a mean length no load can be judged.
    collect(problems, [&] {
      injection = find(injections(), workload.text("injection"))->make(workload, lengths->mean());
    });
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return {std::move(injection), *std::move(lengths)};
}

std::vector<Param> load_params() {
  using nlohmann::json;
  std::vector<Param> params{
      Param::number("load", "flits per node and cycle", "Offered load.", 0).defaults_to(0.1)};
  for (Param& param : menu_params(
           Param::choice("injection", "When a node creates packets.").defaults_to("bernoulli"),
           injections())) {
    params.push_back(std::move(param));
  }
  params.push_back(Param::integers("packet_length", "flits",
                                   "Length of the packets, or a list of lengths.", 1,
                                   kMaxPacketLength)
                       .defaults_to(json::array({5})));
  params.push_back(
      Param::numbers("packet_weights", "",
                     "Share of the packets for every length, in any scale; none: all equal.", 0)
          .defaults_to(json::array()));
  return params;
}

}  // namespace flitcast
