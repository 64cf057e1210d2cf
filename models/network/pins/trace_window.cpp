// SPDX-License-Identifier: Apache-2.0
#include "network/pins/trace_window.h"

#include <sysc/tracing/sc_tracing_ids.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace flitcast::pins {

namespace {

/// The name of the file while it is being written; the kernel appends ".vcd".
std::string partial_stem(const std::string& path) { return path + ".partial"; }
std::string partial_path(const std::string& path) { return partial_stem(path) + ".vcd"; }

// The last comment of a file that the kernel has written completely: the kernel ignores errors.
constexpr const char* kLastComment = "complete";

// Replaces the date, the second line of the file, by spaces.
void blank_date(std::fstream& file) {
  std::string line;
  std::getline(file, line);
  const std::streamoff begin = file.tellg();
  std::getline(file, line);
  file.seekp(begin);
  file << std::string(line.size(), ' ');
}

/// Removes the date and the last comment. Returns false if the file is not complete.
bool tidy(const std::string& path) {
  constexpr std::uintmax_t kTail = 64;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return false;
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::uintmax_t begin = size - std::min(size, kTail);
  std::string tail(size - begin, '\0');
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(tail.data(), static_cast<std::streamsize>(tail.size()));
  const std::size_t comment = tail.rfind("$comment");
  const bool complete = comment != std::string::npos &&
                        tail.find(kLastComment, comment) != std::string::npos &&
                        tail.find("$end", comment) != std::string::npos;
  file.seekg(0);
  blank_date(file);
  file.close();
  if (!complete || file.fail()) return false;
  std::filesystem::resize_file(path, begin + comment, error);
  return !error;
}

}  // namespace

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

// Makes the file, because the kernel would end the program if it could not write. The file is a new
// one, so that nothing is written through a symbolic link.
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
  file_->write_comment(kLastComment);
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  const std::string partial = partial_path(path_);
  if (tidy(partial) && std::rename(partial.c_str(), path_.c_str()) == 0) return;
  std::remove(partial.c_str());
  std::remove(path_.c_str());
}

}  // namespace flitcast::pins
