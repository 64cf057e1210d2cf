// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>
#include <verilated.h>
#ifdef FLITCAST_RTL_COVERAGE
#include <verilated_cov.h>
#endif

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace flitcast {

inline int coverage_files = 0;  // Written so far, by benches of all models.

/// A Verilated module with a clk_i and a synchronous rst_ni, clocked by hand.
///
/// A cycle: set inputs, settle(), read outputs that follow them at once, edge(). Registers change
/// at edge(), after which all outputs are settled.
///
/// Registers start at random, the same at every run, so that what a reset leaves out is noticed.
///
/// Models built for coverage leave their counts in rtl_<process>_<number>.dat in the current
/// folder. Their registers start at 0: counts would begin with the changes from a random start.
template <class Model>
class VerilatedBench {
 public:
  VerilatedBench() : model_(std::make_unique<Model>(powered_up())) {
    model_->clk_i = 0;
    model_->eval();  // The first eval sees no edges.
  }
  ~VerilatedBench() {
    Verilated::threadContextp(&context_);  // From here the model takes its scopes out.
    model_->final();
#ifdef FLITCAST_RTL_COVERAGE
    const auto number = std::to_string(coverage_files++);
    const auto file = "rtl_" + std::to_string(getpid()) + '_' + number + ".dat";
    context_.coveragep()->write(file.c_str());
#endif
  }
  VerilatedBench(const VerilatedBench&) = delete;
  VerilatedBench& operator=(const VerilatedBench&) = delete;

  Model* operator->() { return model_.get(); }

  void settle() { model_->eval(); }
  void edge() {
    half(1);
    half(0);
  }
  /// Calls `look` from now on when all is settled after clk_i rose, and again after it fell.
  void observe(std::function<void()> look) { look_ = std::move(look); }
  /// An edge in reset; out of reset afterwards.
  void reset() {
    model_->rst_ni = 0;
    edge();
    model_->rst_ni = 1;
    settle();
  }

 private:
  VerilatedContext* powered_up() {
#ifndef FLITCAST_RTL_COVERAGE
    context_.randReset(2);
    context_.randSeed(1);
#endif
    return &context_;
  }

  void half(unsigned char level) {
    model_->clk_i = level;
    model_->eval();
    if (look_) look_();
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;  // Declared after the context, which must outlive it.
  std::function<void()> look_;
};

}  // namespace flitcast
