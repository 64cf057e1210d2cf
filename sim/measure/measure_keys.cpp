// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/measurement.h"

namespace flitcast {

// A new key of `measure` needs a member of MeasurementPlan and a line here.
const MemberKeys<MeasurementPlan>& measure_keys() {
  using P = MeasurementPlan;
  constexpr double kLongestRun = 1e12;  // Far beyond any experiment, far below overflow.
  const auto cycles = [](const char* key, const char* help, double least) {
    return Param::integer(key, "cycles", help, least, kLongestRun);
  };
  static const MemberKeys<P> keys{
      {&P::warmup, cycles("warmup", "Length of the warm-up, before the measured window.", 0)},
      {&P::window, cycles("window", "Length of the measured window.", 1)},
      {&P::drain_limit,
       cycles("drain_limit",
              "Longest wait for the measured packets after the window; the network is saturated if "
              "they take longer.",
              0)},
      {&P::watchdog,
       cycles("watchdog", "Time between searches for deadlock; 0: at the end alone.", 0)},
      {&P::precision,
       Param::number("precision", "",
                     "The window ends early, after 1/2, 1/4, 1/8, ... of it, when half of the 95 % "
                     "confidence interval of the mean latency is known and at most this share of "
                     "it; 0: never.",
                     0, 0.5)
           .dumped_if_changed()},
      {&P::series, cycles("series",
                          "Length of a span of the series over the whole run: loads, latency, "
                          "flits in buffers and on channels; 0: no series.",
                          0)
                       .dumped_if_changed()},
      {&P::buffers, cycles("buffers",
                           "Time between samples of the contents and stalls of all buffers; 0: no "
                           "samples.",
                           0)
                        .dumped_if_changed()},
      {&P::fairness, Param::boolean("fairness", false, "Report how evenly nodes are served.")
                         .dumped_if_changed()},
      {&P::distances,
       Param::boolean("distances", false, "Report latencies by the number of routers crossed.")
           .dumped_if_changed()},
  };
  return keys;
}

MeasurementPlan measurement_plan(const Configuration& configuration) {
  return measure_keys().read(configuration.section("measure"));
}

}  // namespace flitcast
