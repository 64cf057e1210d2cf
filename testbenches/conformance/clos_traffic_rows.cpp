// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_traffic_rows.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "clos/catalog.h"
#include "clos/multirate/multirate_traffic.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "clos/traffic.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

using namespace flitcast::clos;

Structure traffic_structure(const ClosParams& params) {
  return Structure::symmetric(params.size("m"), params.size("n"), params.size("r"));
}

std::unique_ptr<Strategy> strategy_of(const ClosParams& params, std::uint64_t seed) {
  const std::string name = params.has("strategy") ? params.text("strategy") : "S1";
  const auto* entry = find(strategies(), name);
  if (entry == nullptr) throw std::invalid_argument("no strategy \"" + name + "\"");
  return entry->make({traffic_structure(params), 0, seed});
}

RequestParams requests_of(const ClosParams& params) {
  RequestParams requests;
  requests.seed = params.count("seed");
  if (params.has("fmax")) requests.most_fan_out = params.size("fmax");
  requests.connect_percent = params.size("pconn");
  return requests;
}

std::string destination_sets(const NetworkState& state) {
  std::string text;
  const BitMatrix& sets = state.destination_sets();
  for (std::size_t j = 0; j < sets.rows(); ++j)
    text += (j == 0 ? "" : ",") + to_hex(sets.set_of(j));
  return text;
}

Verdict traffic_row(const ClosParams& params, const std::string& expected) {
  const RequestParams requests = requests_of(params);
  ConnectionAdmission control(traffic_structure(params), strategy_of(params, requests.seed));
  RequestGenerator generator(control.state().structure(), requests);
  TraceHash hash;
  const TrafficCounts counts = run_traffic(control, generator, params.count("events"),
                                           [&](const Event& event) { hash.add(event); });
  control.state().verify();
  return compare(expected, {{"requests", std::to_string(counts.requests)},
                            {"blocked", std::to_string(counts.blocked)},
                            {"maxpass", std::to_string(counts.most_passes)},
                            {"hash", fmt::format("{:016x}", hash.value())},
                            {"M", destination_sets(control.state())}});
}

Verdict multirate_row(const ClosParams& params, const std::string& expected) {
  const Structure structure = traffic_structure(params);
  const WeightRange weights{params.size("W"), params.size("bmin")};
  const RequestParams requests = requests_of(params);
  MultirateAdmission control(structure, weights, strategy_of(params, requests.seed));
  MultirateRequestGenerator generator(structure, weights, {requests, params.size("wmax")});
  const TrafficCounts counts = run_multirate_traffic(control, generator, params.count("events"));
  control.state().verify();
  return compare(expected, {{"requests", std::to_string(counts.requests)},
                            {"blocked", std::to_string(counts.blocked)},
                            {"maxpass", std::to_string(counts.most_passes)},
                            {"l2sum", std::to_string(control.state().loads().output_link_sum())}});
}

// The last request of the trace is the one that blocks.
Verdict blocking_trace_row(const ClosParams& params, const std::string& expected) {
  ConnectionAdmission control(traffic_structure(params), strategy_of(params, 1));
  const std::vector<Event> trace = parse_trace(expected, params.size("r"));
  if (trace.empty()) throw std::invalid_argument("the trace has no events");
  std::vector<Difference> differences;
  if (const auto difference = replay(trace, control)) {
    differences.push_back(
        {fmt::format("event {}", difference->event), difference->expected, difference->got});
  }
  const auto* last = std::get_if<ConnectEvent>(&trace.back());
  if (last == nullptr || !last->blocked()) {
    differences.push_back({"last event", "a blocked request", to_line(trace.back())});
  }
  return Verdict::of(std::move(differences));
}

}  // namespace

Verdict clos_traffic_row(const Row& row, Level) {
  std::vector<std::string> words{"n=", "r=", "m=", "strategy="};
  if (row["kind"] == "blocking_trace") {
    return blocking_trace_row({row["params"], words}, row["expected"]);
  }
  words.insert(words.end(), {"seed=", "events=", "fmax=", "pconn="});
  if (row["kind"] == "g1") return traffic_row({row["params"], words}, row["expected"]);
  words.insert(words.end(), {"W=", "bmin=", "wmax="});
  return multirate_row({row["params"], words}, row["expected"]);
}

}  // namespace flitcast::conformance
