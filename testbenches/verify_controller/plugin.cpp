// SPDX-License-Identifier: Apache-2.0
// The Verilated controller, class Vcontroller for every module name, as a Dut in a shared object.
// scripts/verify-controller compiles this file for every controller; the program that drives it is
// built once and does not depend on Verilator.
#include <Vcontroller.h>
#include <Vexpected.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdio>

#include "verify_controller/dut.h"
#include "verify_controller/golden.h"

namespace {

using flitcast::SetWord;
using flitcast::verify::Dut;
using flitcast::verify::Inputs;
using flitcast::verify::Outputs;
using flitcast::verify::Pass;

template <class Pin>
void clear(Pin& pin) {
  pin = 0;
}
template <std::size_t Words>
void clear(VlWide<Words>& pin) {
  for (std::size_t w = 0; w < Words; ++w) pin[w] = 0;
}

template <class Pin>
void set_bit(Pin& pin, std::size_t bit) {
  pin = static_cast<Pin>(pin | Pin{1} << bit);
}
template <std::size_t Words>
void set_bit(VlWide<Words>& pin, std::size_t bit) {
  pin[bit / 32] |= 1U << bit % 32;
}

template <class Pin>
bool test_bit(const Pin& pin, std::size_t bit) {
  return (pin >> bit & 1) != 0;
}
template <std::size_t Words>
bool test_bit(const VlWide<Words>& pin, std::size_t bit) {
  return (pin[bit / 32] >> bit % 32 & 1) != 0;
}

template <class Pin>
void drive_set(Pin& pin, const flitcast::BitSet& set, std::size_t from = 0) {
  set.for_each([&](std::size_t member) { set_bit(pin, from + member); });
}

/// Thrown when Verilator's runtime gives up, for example on a combinational loop that does not
/// settle.
struct Broken {};

void print_error(const char* file, int line, const char* message) {
  std::printf("%%Error: %s:%d: %s\n", file, line, message);
}

class VerilatedDut : public Dut {
 public:
  explicit VerilatedDut(unsigned seed) {
    context_.threads(1);
    context_.randReset(2);  // Registers start with random values, and an x becomes random, too.
    context_.randSeed(static_cast<int>(seed % 0x7fffffffU + 1));
  }
  ~VerilatedDut() override {
    if (wave_ != nullptr) {
      dump();  // Records the effect of the last edge.
      wave_->close();
    }
    if (model_ == nullptr) return;
    // The model finds its context through this pointer, which another model may have changed.
    Verilated::threadContextp(&context_);
    model_->final();
    model_.reset();
    expected_.reset();
  }

  void drive(const Inputs& inputs) override {
    Vcontroller& top = model();
    top.clk_i = 0;
    top.rst_ni = inputs.reset ? 0 : 1;
    top.req_valid_i = inputs.req_valid ? 1 : 0;
    top.beat_ready_i = inputs.beat_ready ? 1 : 0;
    clear(top.req_set_i);
    clear(top.req_avail_i);
    drive_set(top.req_set_i, inputs.req_set);
    drive_set(top.req_avail_i, inputs.req_avail);
    drive_store(inputs.store);
    settle();
  }

  void edge() override {
    model().clk_i = 1;
    settle();
    model().clk_i = 0;
    evaluate();  // Appears in the waveform together with the next inputs.
  }

  void read(Outputs& outputs) const override {
    outputs.req_ready = model_->req_ready_o != 0;
    outputs.beat_valid = model_->beat_valid_o != 0;
    outputs.beat_middle = static_cast<std::size_t>(model_->beat_middle_o);
    outputs.beat_last = model_->beat_last_o != 0;
    outputs.beat_fail = model_->beat_fail_o != 0;
    outputs.beat_set.clear();
    for (std::size_t member = 0; member < outputs.beat_set.size(); ++member) {
      if (test_bit(model_->beat_set_o, member)) outputs.beat_set.set(member);
    }
  }

  bool stopped() const override { return broken_ || context_.gotFinish() || context_.gotError(); }

  void trace(const std::string& file, std::uint64_t from) override {
    traced_from_ = from == 0 ? 0 : 10 * (from - 1);
    context_.traceEverOn(true);
    wave_ = std::make_unique<VerilatedFstC>();
    expected_ = std::make_unique<Vexpected>(&context_, "expected");
    model().trace(wave_.get(), 99);
    expected_->trace(wave_.get(), 99);
    wave_->open(file.c_str());
  }

  void expect(const Pass* due) override {
    if (expected_ == nullptr) return;
    clear(expected_->unserved);
    clear(expected_->beat_set);
    expected_->pass = 0;
    expected_->beat_middle = 0;
    expected_->beat_last = expected_->beat_fail = 0;
    if (due == nullptr) return;
    expected_->pass = static_cast<SData>(due->number + 1);
    drive_set(expected_->unserved, due->unserved);
    expected_->beat_last = due->beat.last ? 1 : 0;
    expected_->beat_fail = due->beat.fail ? 1 : 0;
    if (due->beat.fail) return;
    drive_set(expected_->beat_set, due->beat.served);
    expected_->beat_middle = static_cast<SData>(flitcast::index(due->beat.middle));
  }

 private:
  // Created late, because tracing must be enabled before.
  Vcontroller& model() {
    if (model_ == nullptr) model_ = std::make_unique<Vcontroller>(&context_);
    return *model_;
  }
  // The store is by far the widest input, and constant for many clocks.
  void drive_store(const flitcast::BitMatrix& store) {
    if (store == store_) return;
    store_ = store;
    clear(model_->store_i);
    for (std::size_t j = 0; j < store.rows(); ++j) {
      drive_set(model_->store_i, store.set_of(j), j * store.columns());
    }
  }
  void dump() {
    expected_->eval();
    wave_->dump(time_);
  }
  void evaluate() {
    try {
      model_->eval();
    } catch (const Broken&) {
      broken_ = true;
    }
  }
  // Edge n, counted from 1, rises at time 10 n - 5.
  void settle() {
    evaluate();
    if (wave_ != nullptr && time_ >= traced_from_) dump();
    time_ += 5;
  }

  VerilatedContext context_;
  std::unique_ptr<Vcontroller> model_;   // Declared after the context, which must outlive it.
  std::unique_ptr<Vexpected> expected_;  // Present in a controller with a waveform.
  std::unique_ptr<VerilatedFstC> wave_;
  flitcast::BitMatrix store_{0, 0};  // The store as last driven.
  std::uint64_t time_ = 0;
  std::uint64_t traced_from_ = 0;
  bool broken_ = false;
};

}  // namespace

// Replaces Verilator's handlers, which end the program on $finish (as a success), assertions, $stop
// and errors.
void vl_finish(const char* file, int line, const char* /*hierarchy*/) {
  std::printf("- %s:%d: $finish\n", file, line);
  Verilated::threadContextp()->gotFinish(true);
}
void vl_stop(const char* file, int line, const char* /*hierarchy*/) {
  print_error(file, line, "assertion or $stop");
  Verilated::threadContextp()->gotError(true);
}
void vl_fatal(const char* file, int line, const char* /*hierarchy*/, const char* message) {
  print_error(file, line, message);
  throw Broken{};
}

extern "C" Dut* flitcast_make_dut(unsigned seed) { return new VerilatedDut(seed); }
