// SPDX-License-Identifier: Apache-2.0
#include "network/pins/trace_window.h"

#include <sysc/tracing/sc_tracing_ids.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace flitcast::pins {

namespace {

/// The name of the file while it is being written; the kernel appends ".vcd".
std::string partial_stem(const std::string& path) { return path + ".partial"; }
std::string partial_path(const std::string& path) { return partial_stem(path) + ".vcd"; }

// Replaces the date, the second line of the file, by spaces.
void blank_date(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string line;
  std::getline(file, line);
  const std::streamoff begin = file.tellg();
  std::getline(file, line);
  file.seekp(begin);
  file << std::string(line.size(), ' ');
}

}  // namespace

TraceWindow::TraceWindow(Cycle from, Cycle to, std::string path, AddSignals add)
    : from_(from), to_(to), path_(std::move(path)), add_(std::move(add)) {}

TraceWindow::~TraceWindow() { close(); }

std::uint64_t TraceWindow::advance(Cycle now, std::uint64_t cycles) {
  if (now < from_) return std::min(cycles, from_ - now);
  if (now >= to_) {
    close();
    return cycles;
  }
  if (file_ == nullptr) open();
  return std::min(cycles, to_ - now);
}

// The file is made here, because the kernel would end the program if it could not write. It is new,
// so that nothing is written through a link.
void TraceWindow::open() {
  const std::string path = partial_path(path_);
  std::remove(path.c_str());
  std::FILE* const made = std::fopen(path.c_str(), "wx");
  if (made == nullptr) throw std::runtime_error("cannot write " + path);
  std::fclose(made);
  file_ = sc_core::sc_create_vcd_trace_file(partial_stem(path_).c_str());
  // Suppresses the kernel's note on the time unit, because results may go to standard output.
  const sc_core::sc_actions before = sc_core::sc_report_handler::set_actions(
      sc_core::SC_ID_TRACING_TIMESCALE_UNIT_, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  file_->set_time_unit(1, sc_core::SC_PS);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_, sc_core::SC_INFO,
                                          before);
  add_(file_);
}

void TraceWindow::close() {
  if (file_ == nullptr) return;
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  blank_date(partial_path(path_));
  static_cast<void>(std::rename(partial_path(path_).c_str(), path_.c_str()));
}

}  // namespace flitcast::pins
