// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "sim/measure/measurement.h"

namespace flitcast {

/// The observers of a run: those that the plan requests, and the monitor for the waveform of a
/// network without signals.
class Observers {
 public:
  /// @param arrived  Returns the sum over the packets that have arrived so far.
  Observers(const Model& model, const MeasurementPlan& plan, const Network& network,
            std::function<DeliverySum()> arrived);

  /// Starts to sample buffers, which are sampled in the window only.
  void open_window(const Network& network) {
    if (survey_) survey_->open(network.now());
  }
  void close_window(const Network& network, bool goes_on = false) {
    if (survey_) survey_->close(network, goes_on);
  }

  /// Calls the observers that are due; returns the cycles until the next one is due, at least 1.
  std::uint64_t look(const Network& network);

  /// Moves the records into `result`; called once, at the end of the run.
  void hand_over(const Network& network, Measurement& result);

 private:
  // The observers of a run; null: not requested.
  std::unique_ptr<SeriesRecorder> series_;
  std::unique_ptr<BufferSurvey> survey_;
  std::unique_ptr<FlitMonitor> monitor_;
};

}  // namespace flitcast
