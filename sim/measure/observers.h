// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "sim/measure/measurement.h"

namespace flitcast {

/// The observers of a run: those that the plan requests, and the monitor for the waveform of a
/// network without signals.
class Observers {
 public:
  /// @param arrived  Returns the sum over the packets that have arrived so far.
  Observers(const Model& model, const MeasurementPlan& plan, const Network& network,
            std::function<DeliverySum()> arrived) {
    if (plan.series > 0) {
      series_ = std::make_unique<SeriesRecorder>(network, model.topology(), plan.series,
                                                 std::move(arrived));
    }
    if (plan.buffers > 0) {
      survey_ = std::make_unique<BufferSurvey>(plan.buffers, network.inspection());
    }
    const std::optional<MonitorPlan> monitor = monitor_of(model, plan);
    if (monitor) monitor_ = make_flit_monitor(*monitor, network);
  }

  /// Starts to sample buffers, which are sampled in the window only.
  void open_window(const Network& network) {
    if (survey_) survey_->open(network.now());
  }

  void close_window(const Network& network, bool goes_on = false) {
    if (survey_) survey_->close(network, goes_on);
  }

  /// Calls the observers that are due; returns the cycles until the next one is due, at least 1.
  std::uint64_t look(const Network& network) {
    Cycle next = kNever;
    using All = std::initializer_list<Observer*>;
    for (Observer* observer : All{series_.get(), survey_.get(), monitor_.get()}) {
      if (observer == nullptr) continue;
      if (observer->next() == network.now()) observer->look(network);
      next = std::min(next, observer->next());
    }
    return next - network.now();
  }

  /// Moves the records into `result`; called once, at the end of the run.
  void hand_over(const Network& network, Measurement& result) {
    if (series_) result.series = series_->take(network);
    if (survey_) result.buffers = survey_->samples();
    if (monitor_) result.monitored = monitor_->take();
  }

 private:
  /// The waveform of a network without signals requires a monitor.
  static std::optional<MonitorPlan> monitor_of(const Model& model, const MeasurementPlan& plan) {
    const auto& trace = model.network.trace;
    if (!trace || model.network.implementation->has_signals) return plan.monitor;
    MonitorPlan monitor = monitor_plan(*trace, model.topology());
    monitor.signals = true;
    return monitor;
  }

  // The observers of a run; null: not requested.
  std::unique_ptr<SeriesRecorder> series_;
  std::unique_ptr<BufferSurvey> survey_;
  std::unique_ptr<FlitMonitor> monitor_;
};

}  // namespace flitcast
