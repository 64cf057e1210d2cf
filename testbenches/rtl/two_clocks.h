// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cosim/registers.h"

namespace flitcast {

/// Periods of the two clocks of a module, and the time of the first edge of out_clk_i; that of
/// in_clk_i is at 0. Edges at the same time are simultaneous.
struct ClockPair {
  std::uint64_t in_period = 1000;
  std::uint64_t out_period = 1000;
  std::uint64_t out_phase = 0;
};

/// One synchronizer that can be metastable: a bit that the last edge of the sending clock changed
/// is missed at random by the first edge of the receiving clock after it.
class MetastableCrossing {
 public:
  MetastableCrossing(std::vector<RegisterBit> sender, std::vector<RegisterBit> first)
      : sender_(std::move(sender)), first_(std::move(first)), before_(values()) {}

  /// The receiver comes first where edges are simultaneous.
  void before_receiver_edge() {
    missed_ = before_;
    before_ = now_ = values();  // The next edge sees the change.
  }
  void before_sender_edge() { before_ = values(); }
  void after_receiver_edge(std::mt19937& random) {
    for (std::size_t bit = 0; bit < first_.size(); ++bit) {
      if (missed_[bit] != now_[bit] && random() % 2 == 0) first_[bit].set(missed_[bit]);
    }
  }

 private:
  std::vector<bool> values() const {
    std::vector<bool> result;
    for (const RegisterBit& bit : sender_) result.push_back(bit.value());
    return result;
  }

  std::vector<RegisterBit> sender_;
  std::vector<RegisterBit> first_;
  std::vector<bool> before_;  // Before the last edge of the sender that the receiver has not seen.
  std::vector<bool> missed_;
  std::vector<bool> now_;
};

/// Verilated module (COSIM) with in_clk_i, in_rst_ni, out_clk_i and out_rst_ni. Registers start
/// with random values.
template <class Model>
class TwoClockBench {
 public:
  explicit TwoClockBench(const ClockPair& clocks)
      : clocks_(clocks), model_(std::make_unique<Model>(powered_up())) {
    next_out_ = clocks.out_phase;
    model_->in_clk_i = model_->out_clk_i = 0;
    model_->in_rst_ni = model_->out_rst_ni = 0;
    model_->eval();
  }
  ~TwoClockBench() {
    Verilated::threadContextp(&context_);  // The model removes its scopes from this context.
    model_->final();
  }
  TwoClockBench(const TwoClockBench&) = delete;
  TwoClockBench& operator=(const TwoClockBench&) = delete;

  Model* operator->() { return model_.get(); }
  VerilatedContext& context() { return context_; }

  bool in_is_next() const { return next_in_ <= next_out_; }
  bool out_is_next() const { return next_out_ <= next_in_; }
  /// All registers with `part` in their names, bit by bit.
  std::vector<RegisterBit> registers(const std::string& part) {
    std::vector<RegisterBit> result;
    for (const RegisterBit& bit : register_bits(context_)) {
      if (bit.name().find(part) != std::string::npos) result.push_back(bit);
    }
    return result;
  }
  /// The pointers of the async_fifo `fifo` become metastable. `forward`: it is written by in_clk_i.
  void disturb(const std::string& fifo, bool forward) {
    auto& written = forward ? in_sends_ : out_sends_;
    auto& read = forward ? out_sends_ : in_sends_;
    written.emplace_back(registers(fifo + ".in_pointer_q"), registers(fifo + ".u_to_out.first_q"));
    read.emplace_back(registers(fifo + ".out_pointer_q"), registers(fifo + ".u_to_in.first_q"));
  }

  /// The next edge of one clock, or of both. Its inputs must have been set.
  void edge() {
    const bool in = in_is_next(), out = out_is_next();
    model_->eval();
    for (auto& crossing : in_sends_) prepare(crossing, in, out);
    for (auto& crossing : out_sends_) prepare(crossing, out, in);
    if (in) model_->in_clk_i = 1;
    if (out) model_->out_clk_i = 1;
    model_->eval();
    disturb(out, in_sends_);
    disturb(in, out_sends_);
    model_->in_clk_i = model_->out_clk_i = 0;
    model_->eval();
    if (in) next_in_ += clocks_.in_period;
    if (out) next_out_ += clocks_.out_period;
  }

 private:
  using Crossings = std::vector<MetastableCrossing>;

  VerilatedContext* powered_up() {
    context_.randReset(2);
    context_.randSeed(1);
    return &context_;
  }
  static void prepare(MetastableCrossing& crossing, bool sender, bool receiver) {
    if (receiver) crossing.before_receiver_edge();
    if (sender) crossing.before_sender_edge();
  }
  void disturb(bool edge, Crossings& received) {
    if (!edge) return;
    for (auto& crossing : received) crossing.after_receiver_edge(random_);
  }

  const ClockPair clocks_;
  VerilatedContext context_;
  std::unique_ptr<Model> model_;  // The model is destroyed before its context.
  std::uint64_t next_in_ = 0;
  std::uint64_t next_out_ = 0;
  std::mt19937 random_{5};
  Crossings in_sends_;
  Crossings out_sends_;
};

}  // namespace flitcast
