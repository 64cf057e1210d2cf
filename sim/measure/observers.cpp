// SPDX-License-Identifier: Apache-2.0
#include "sim/measure/observers.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace flitcast {
namespace {

/// The waveform of a network without signals requires a monitor.
std::optional<MonitorPlan> monitor_of(const Model& model, const MeasurementPlan& plan) {
  const auto& trace = model.network.trace;
  if (!trace || model.network.implementation->has_signals) return plan.monitor;
  MonitorPlan monitor = monitor_plan(*trace, model.topology());
  monitor.signals = true;
  return monitor;
}

}  // namespace

Observers::Observers(const Model& model, const MeasurementPlan& plan, const Network& network,
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

std::uint64_t Observers::look(const Network& network) {
  Cycle next = kNever;
  using All = std::initializer_list<Observer*>;
  for (Observer* observer : All{series_.get(), survey_.get(), monitor_.get()}) {
    if (observer == nullptr) continue;
    if (observer->next() == network.now()) observer->look(network);
    next = std::min(next, observer->next());
  }
  return next - network.now();
}

void Observers::hand_over(const Network& network, Measurement& result) {
  if (series_) result.series = series_->take(network);
  if (survey_) result.buffers = survey_->samples();
  if (monitor_) result.monitored = monitor_->take();
}

}  // namespace flitcast
