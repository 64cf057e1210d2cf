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

inline int coverage_files = 0;  // Number of files written so far by the benches of all models.

/// Verilated module with a clk_i and a synchronous rst_ni; the test drives the clock.
///
/// A cycle consists of: set inputs, settle(), read the outputs that depend on them combinationally,
/// edge(). Registers change at edge(), after which all outputs are settled.
///
/// Registers start with random values, the same in every run, so that a missing reset is noticed.
///
/// Models built for coverage write their counts to rtl_<process>_<number>.dat in the current
/// folder. Their registers start at 0, because counts would otherwise include the changes from a
/// random start.
template <class Model>
class VerilatedBench {
 public:
  VerilatedBench() : model_(std::make_unique<Model>(powered_up())) {
    model_->clk_i = 0;
    model_->eval();  // The first eval() detects no edges.
  }
  ~VerilatedBench() {
    Verilated::threadContextp(&context_);  // The model removes its scopes from this context.
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
  /// Makes the bench call `look` whenever all signals have settled after clk_i rises, and again
  /// after it falls.
  void observe(std::function<void()> look) { look_ = std::move(look); }
  /// Applies an edge in reset and then ends the reset.
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
  std::unique_ptr<Model> model_;  // The model is destroyed before its context.
  std::function<void()> look_;
};

}  // namespace flitcast
