// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "clos/experiments/request_generator.h"
#include "clos/experiments/trace.h"
#include "clos/experiments/traffic.h"
#include "clos/multirate/multirate_control.h"
#include "clos/multirate/multirate_traffic.h"
#include "sim/clos/input.h"
#include "sim/commands.h"
#include "sim/output_file.h"
#include "sim/stop_signal.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

constexpr const char* kTrafficCommand = "clos traffic";

clos::RequestParams request_params(const ClosTrafficOptions& options,
                                   const clos::Structure& structure) {
  if (options.fan_out > structure.r2) {
    fail(kTrafficCommand,
         fmt::format("--fmax is {}, but there are {} output switches", options.fan_out,
                     structure.r2),
         fmt::format("give 1 to {}", structure.r2));
  }
  clos::RequestParams params;
  params.seed = options.seed;
  params.most_fan_out = static_cast<std::uint32_t>(options.fan_out);
  params.connect_percent = static_cast<std::uint32_t>(options.connect_percent);
  return params;
}

ordered_json counts_json(const clos::Structure& structure, const clos::TrafficCounts& counts) {
  const double share = counts.requests == 0 ? 0.0
                                            : static_cast<double>(counts.blocked) /
                                                  static_cast<double>(counts.requests);
  return {{"m", structure.m},
          {"requests", counts.requests},
          {"blocked", counts.blocked},
          {"blocking_probability", share},
          {"maxpass", counts.most_passes}};
}

/// A signal has come.
struct Stopped {};

/// Events between two looks for a signal.
constexpr std::uint64_t kEventsAtATime = 10'000;

/// Runs all events in parts, each by `run`, which is told how many.
template <class Run>
clos::TrafficCounts run_unless_stopped(std::uint64_t events, Run run) {
  clos::TrafficCounts total;
  for (std::uint64_t left = events; left > 0;) {
    if (StopSignal::received() != 0) throw Stopped{};
    const std::uint64_t part_size = std::min(left, kEventsAtATime);
    const clos::TrafficCounts part = run(part_size);
    total.requests += part.requests;
    total.blocked += part.blocked;
    total.most_passes = std::max(total.most_passes, part.most_passes);
    left -= part_size;
  }
  return total;
}

/// Where the lines of a trace go, one by one; null: nowhere.
using TraceSink = std::function<void(const std::string& line)>;

ordered_json single_rate(const clos::Structure& structure, const ClosTrafficOptions& options,
                         const TraceSink& trace) {
  clos::Control control = make_control(structure, options.control, options.seed, kTrafficCommand);
  clos::RequestGenerator generator(structure, request_params(options, structure));
  clos::TraceHash hash;
  const clos::EventSink sink = [&](const clos::Event& event) {
    hash.add(event);
    if (trace) trace(hash.line());
  };
  const clos::TrafficCounts counts = run_unless_stopped(options.events, [&](std::uint64_t events) {
    return clos::run_traffic(control, generator, events, sink);
  });
  control.state().verify();
  ordered_json json = counts_json(structure, counts);
  json["hash"] = fmt::format("{:016x}", hash.value());
  json["M"] = ordered_json::array();
  for (std::size_t j = 0; j < structure.m; ++j) {
    json["M"].push_back(to_hex(control.state().destination_sets().set_of(j)));
  }
  return json;
}

ordered_json multirate(const clos::Structure& structure, const ClosTrafficOptions& options) {
  const clos::WeightRange weights{static_cast<clos::Weight>(options.capacity),
                                  static_cast<clos::Weight>(options.least_weight)};
  clos::MultirateControl control =
      make_multirate_control(structure, weights, options.control, options.seed, kTrafficCommand);
  clos::MultirateRequestGenerator generator(
      structure, weights,
      {request_params(options, structure), static_cast<clos::Weight>(options.most_weight)});
  const clos::TrafficCounts counts = run_unless_stopped(options.events, [&](std::uint64_t events) {
    return clos::run_multirate_traffic(control, generator, events);
  });
  control.state().verify();
  ordered_json json = counts_json(structure, counts);
  json["l2sum"] = control.state().loads().output_link_sum();
  return json;
}

std::vector<clos::Structure> points_of(const ClosTrafficOptions& options) {
  std::vector<clos::Structure> points;
  ClosSizes sizes = options.sizes;
  const std::uint64_t last = std::max(options.last_m, sizes.m);
  if (options.last_m != 0 && options.last_m < sizes.m) {
    fail(kTrafficCommand, fmt::format("--to is {}, below --m", options.last_m),
         "give a larger one");
  }
  for (; sizes.m <= last; ++sizes.m) points.push_back(structure_of(sizes, kTrafficCommand));
  return points;
}

void require_sound(const ClosTrafficOptions& options) {
  if (options.capacity == 0 && (options.least_weight != 1 || options.most_weight != 0)) {
    fail(kTrafficCommand, "--bmin and --wmax are weights of multirate traffic",
         "give --capacity, too");
  }
  if (options.trace.empty()) return;
  if (options.capacity != 0) {
    fail(kTrafficCommand, "multirate traffic has no trace", "leave out --trace or --capacity");
  }
  if (options.last_m != 0)
    fail(kTrafficCommand, "a curve has no trace", "leave out --trace or --to");
  if (options.trace == "-" && options.json) {
    fail(kTrafficCommand, "--trace - and --json both want standard output", "give --trace a file");
  }
}

void print_traffic(const ordered_json& result) {
  std::cout << fmt::format("{:>8} {:>12} {:>12} {:>10} {:>8}  {}\n", "m", "requests", "blocked",
                           "share", "maxpass", "trace hash");
  for (const ordered_json& point : result.at("points")) {
    std::cout << fmt::format(
        "{:>8} {:>12} {:>12} {:>10.3g} {:>8}  {}\n", point.at("m").get<std::uint64_t>(),
        point.at("requests").get<std::uint64_t>(), point.at("blocked").get<std::uint64_t>(),
        point.at("blocking_probability").get<double>(), point.at("maxpass").get<std::uint64_t>(),
        point.contains("hash") ? point.at("hash").get<std::string>() : "-");
  }
}

/// After a signal the points that were done by then.
ordered_json run_points(const ClosTrafficOptions& options, const TraceSink& trace) {
  ordered_json result{{"status", "ok"},
                      {"strategy", options.control.strategy},
                      {"seed", options.seed},
                      {"events", options.events}};
  result["points"] = ordered_json::array();
  const std::vector<clos::Structure> points = points_of(options);
  try {
    for (const clos::Structure& structure : points) {
      result["points"].push_back(as_user_error(kTrafficCommand, [&] {
        return options.capacity != 0 ? multirate(structure, options)
                                     : single_rate(structure, options, trace);
      }));
    }
  } catch (const Stopped&) {
    result["status"] = "stopped";
    std::cerr << fmt::format("flitcast: stopped by a signal after {} of {} points\n",
                             result["points"].size(), points.size());
  }
  return result;
}

/// After a signal there is no file.
ordered_json run_into_file(const ClosTrafficOptions& options) {
  OutputFile file(options.trace);
  ordered_json result = run_points(options, [&file](const std::string& line) { file.write(line); });
  if (StopSignal::received() == 0) file.commit();
  return result;
}

void run_and_print(const ClosTrafficOptions& options) {
  if (options.trace == "-") {
    run_points(options, [](const std::string& line) { std::cout << line; });
    return;
  }
  const ordered_json result =
      options.trace.empty() ? run_points(options, nullptr) : run_into_file(options);
  if (options.json) {
    std::cout << result.dump(2) << '\n';
  } else {
    print_traffic(result);
  }
}

}  // namespace

int clos_traffic_command(const ClosTrafficOptions& options) {
  require_sound(options);
  const StopSignal stop;
  run_and_print(options);
  return StopSignal::received() == 0 ? kDone : kStoppedBySignal + StopSignal::received();
}

}  // namespace flitcast
