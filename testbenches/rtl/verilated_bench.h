// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <memory>

namespace flitcast {

/// A Verilated module with a clk_i and a synchronous rst_ni, clocked by hand.
///
/// A cycle: set inputs, settle(), read outputs that follow them at once, edge(). Registers change
/// at edge(), after which all outputs are settled.
template <class Model>
class VerilatedBench {
 public:
  VerilatedBench() : model_(std::make_unique<Model>(&context_)) {
    model_->clk_i = 0;
    model_->eval();  // The first eval sees no edges.
  }
  ~VerilatedBench() { model_->final(); }
  VerilatedBench(const VerilatedBench&) = delete;
  VerilatedBench& operator=(const VerilatedBench&) = delete;

  Model* operator->() { return model_.get(); }

  void settle() { model_->eval(); }
  void edge() {
    model_->clk_i = 1;
    model_->eval();
    model_->clk_i = 0;
    model_->eval();
  }
  /// An edge in reset; out of reset afterwards.
  void reset() {
    model_->rst_ni = 0;
    edge();
    model_->rst_ni = 1;
    settle();
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> model_;  // Declared after the context, which must outlive it.
};

}  // namespace flitcast
