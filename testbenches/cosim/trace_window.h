// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "rtl/verilated_bench.h"

namespace flitcast {

/// Writes all signals of a Verilated module (COSIM) to an FST file from 50 cycles before cycle
/// `centre` to 10 after. Cycle 0 is the first after construction; cycle c ends with a rising edge
/// at time 10 c + 10, in any unit. The bench must outlive the window.
class TraceWindow {
 public:
  template <class Model>
  TraceWindow(VerilatedBench<Model>& rtl, std::string file, std::uint64_t centre)
      : file_(std::move(file)),
        begin_(10 * (centre - std::min<std::uint64_t>(centre, 50))),
        end_(10 * (centre + 10) + 10) {
    rtl->contextp()->traceEverOn(true);
    rtl->trace(&fst_, 99);
    fst_.open(file_.c_str());
    rtl.observe([this] { dump(); });
  }

  const std::string& file() const { return file_; }
  std::uint64_t last_cycle() const { return end_ / 10 - 1; }

 private:
  void dump() {
    time_ += 5;
    if (time_ >= begin_ && time_ <= end_) fst_.dump(time_);
  }

  const std::string file_;
  const std::uint64_t begin_;
  const std::uint64_t end_;
  std::uint64_t time_ = 5;  // Rising edges at multiples of 10, falling edges half-way.
  VerilatedFstC fst_;
};

}  // namespace flitcast
