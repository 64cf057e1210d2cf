// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <utility>

#include "base/ids.h"

namespace flitcast::pins {

/// A waveform of a window of cycles, in a VCD file that appears when it is complete. Equal runs
/// give equal files: the date is left out. If the file cannot be written completely, as on a full
/// disk, there is no file, not even an older file of that name.
class TraceWindow {
 public:
  using AddSignals = std::function<void(sc_core::sc_trace_file* file)>;

  /// @param from, to  The first cycle in the window and the first cycle after it.
  /// @param add       Called when the window opens.
  TraceWindow(Cycle from, Cycle to, std::string path, AddSignals add)
      : from_(from), to_(to), path_(std::move(path)), add_(std::move(add)) {}
  /// Completes the file if the window is open.
  ~TraceWindow();
  TraceWindow(const TraceWindow&) = delete;
  TraceWindow& operator=(const TraceWindow&) = delete;

  /// Opens or closes the window; must be called before cycle `now` is run. Returns the number of
  /// cycles, at most `cycles`, that may be run until the next call. Throws std::runtime_error for a
  /// file that cannot be written.
  std::uint64_t advance(Cycle now, std::uint64_t cycles);

 private:
  void open();
  void close();

  const Cycle from_;
  const Cycle to_;
  const std::string path_;
  const AddSignals add_;
  sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace flitcast::pins
