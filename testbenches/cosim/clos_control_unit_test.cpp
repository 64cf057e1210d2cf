// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vpar_adder_13x4.h>
#include <Vpar_counter_5x4.h>
#include <Vpar_thermo_13x4.h>
#include <Vpar_thermo_1x1.h>
#include <Vseq_adder_7x5.h>
#include <Vseq_counter_1x1.h>
#include <Vseq_counter_5x3.h>
// clang-format on

#include <string>
#include <vector>

#include "clos/catalog.h"
#include "cosim/clos_traffic.h"
#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "network/pins/clos_controller.h"

using namespace flitcast;

namespace {

/// Returns the rows of the matrix packed without gaps, as on a flat port.
std::vector<std::uint32_t> flat(const BitMatrix& matrix) {
  std::vector<std::uint32_t> words(matrix.rows() * matrix.columns() / 32 + 1);
  for (std::size_t bit = 0; bit < matrix.rows() * matrix.columns(); ++bit) {
    const bool member = matrix.test(bit / matrix.columns(), bit % matrix.columns());
    words[bit / 32] |= member ? 1U << bit % 32 : 0U;
  }
  return words;
}

/// Number of requests by how they end.
struct Ends {
  int done = 0;  ///< Requests served by one leg.
  int done_by_several_legs = 0;
  int blocked = 0;
  int blocked_with_legs = 0;  ///< The legs are void.
};

/// The SystemC unit and its RTL on the same clock, with the same inputs.
template <class Rtl>
class Cosim {
 public:
  Cosim(const clos::ControllerDesign& design, const clos::ControllerParams& params,
        std::size_t input_switches)
      : traffic_(params, input_switches),
        req_set_("req_set", BitSet(params.r)),
        req_held_("req_held", BitSet(params.m)),
        rel_set_("rel_set", BitSet(params.r)),
        leg_set_("leg_set", BitSet(params.r)),
        model_("unit", design, params, input_switches) {
    bind();
    ClosStimulus reset = traffic_.next(model_.store());
    reset.rst_n = false;
    drive(reset);
    edge();
  }

  void drive() { drive(traffic_.next(model_.store())); }

  void compare(Lockstep& lockstep) {
    const bool valid = leg_valid_.read();
    lockstep.compare("ready_o", 0, ready_.read(), rtl_->ready_o);
    lockstep.compare("leg_valid_o", 0, valid, rtl_->leg_valid_o);
    lockstep.compare("leg_middle_o", 0, valid ? leg_middle_.read() : 0,
                     valid ? rtl_->leg_middle_o : 0);
    lockstep.compare("leg_set_o", 0, valid ? *leg_set_.read().words() : 0,
                     valid ? rtl_->leg_set_o : 0);
    lockstep.compare("done_o", 0, done_.read(), rtl_->done_o);
    lockstep.compare("blocked_o", 0, blocked_.read(), rtl_->blocked_o);
    compare_store("sets_o", model_.store().destination_sets(), rtl_->sets_o, lockstep);
    compare_store("avail_o", model_.store().available(), rtl_->avail_o, lockstep);
  }

  /// Runs from one falling edge of the clock to the next.
  void edge() {
    count();
    half(false);
    half(true);
    rtl_.edge();
  }

  VerilatedBench<Rtl>& rtl() { return rtl_; }
  const Ends& ends() const { return ends_; }

 private:
  void bind() {
    model_.clk_i(clk_);
    model_.rst_ni(rst_n_);
    model_.ready_o(ready_);
    model_.req_valid_i(req_valid_);
    model_.req_switch_i(req_switch_);
    model_.req_set_i(req_set_);
    model_.req_held_i(req_held_);
    model_.req_link_i(req_link_);
    model_.rel_valid_i(rel_valid_);
    model_.rel_switch_i(rel_switch_);
    model_.rel_middle_i(rel_middle_);
    model_.rel_set_i(rel_set_);
    model_.rel_link_i(rel_link_);
    model_.leg_valid_o(leg_valid_);
    model_.leg_middle_o(leg_middle_);
    model_.leg_set_o(leg_set_);
    model_.done_o(done_);
    model_.blocked_o(blocked_);
  }

  void drive(const ClosStimulus& now) {
    drive_model(now);
    drive_rtl(now);
    rtl_.settle();
  }
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }
  void drive_model(const ClosStimulus& now) {
    rst_n_ = now.rst_n;
    req_valid_ = now.req_valid;
    req_switch_ = now.req_switch;
    req_set_ = now.req_set;
    req_held_ = now.req_held;
    req_link_ = now.req_link;
    rel_valid_ = now.rel_valid;
    rel_switch_ = now.rel_switch;
    rel_middle_ = now.rel_middle;
    rel_set_ = now.rel_set;
    rel_link_ = now.rel_link;
  }
  void drive_rtl(const ClosStimulus& now) {
    const auto word = [](const BitSet& set) { return static_cast<std::uint32_t>(*set.words()); };
    rtl_->rst_ni = now.rst_n;
    rtl_->req_valid_i = now.req_valid;
    set_port_word(rtl_->req_switch_i, 0, now.req_switch);
    set_port_word(rtl_->req_set_i, 0, word(now.req_set));
    set_port_word(rtl_->req_held_i, 0, word(now.req_held));
    rtl_->req_link_i = now.req_link;
    rtl_->rel_valid_i = now.rel_valid;
    set_port_word(rtl_->rel_switch_i, 0, now.rel_switch);
    set_port_word(rtl_->rel_middle_i, 0, now.rel_middle);
    set_port_word(rtl_->rel_set_i, 0, word(now.rel_set));
    rtl_->rel_link_i = now.rel_link;
  }

  template <class Port>
  void compare_store(const char* name, const BitMatrix& model, const Port& rtl,
                     Lockstep& lockstep) {
    const std::vector<std::uint32_t> words = flat(model);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
      lockstep.compare(name, w, words[w], port_word(rtl, w));
    }
  }

  void count() {
    legs_ += leg_valid_.read() ? 1 : 0;
    if (done_.read()) ++(legs_ > 1 ? ends_.done_by_several_legs : ends_.done);
    if (blocked_.read()) ++(legs_ > 0 ? ends_.blocked_with_legs : ends_.blocked);
    if (ready_.read()) legs_ = 0;
  }

  template <class T>
  using Signal = sc_core::sc_signal<T>;

  ClosTraffic traffic_;
  int legs_ = 0;  // Legs of the present request.
  Ends ends_;
  VerilatedBench<Rtl> rtl_;
  Signal<bool> clk_{"clk"}, rst_n_{"rst_n"}, ready_{"ready"};
  Signal<bool> req_valid_{"req_valid"}, req_link_{"req_link"};
  Signal<bool> rel_valid_{"rel_valid"}, rel_link_{"rel_link"};
  Signal<bool> leg_valid_{"leg_valid"}, done_{"done"}, blocked_{"blocked"};
  Signal<unsigned> req_switch_{"req_switch"}, rel_switch_{"rel_switch"};
  Signal<unsigned> rel_middle_{"rel_middle"}, leg_middle_{"leg_middle"};
  Signal<BitSet> req_set_, req_held_, rel_set_, leg_set_;
  pins::ClosControlUnit model_;
};

/// @param least  Minimum number of requests of each kind in 100'000 cycles.
template <class MakeBench>
void check_ends(const MakeBench& make, int least) {
  testing::install_fresh_kernel();
  auto bench = make();
  Lockstep lockstep;
  while (lockstep.cycles() < 100'000) step_cosim(bench, lockstep);
  CHECK(bench.ends().done > least);
  CHECK(bench.ends().done_by_several_legs > least);
  CHECK(bench.ends().blocked > least);
  CHECK(bench.ends().blocked_with_legs > least);
}

const clos::ControllerDesign& named(const char* design) {
  return find(clos::controllers(), design)->make;
}

auto seq_counter() { return Cosim<Vseq_counter_5x3>(named("seq_counter"), {5, 3, 2}, 4); }
auto seq_adder() { return Cosim<Vseq_adder_7x5>(clos::seq_adder_of(2), {7, 5, 3}, 3); }
auto par_counter() { return Cosim<Vpar_counter_5x4>(named("par_counter"), {5, 4, 2}, 4); }
auto par_adder() { return Cosim<Vpar_adder_13x4>(named("par_adder"), {13, 4, 2}, 4); }
auto par_thermo() { return Cosim<Vpar_thermo_13x4>(named("par_thermo"), {13, 4, 2}, 4); }
auto seq_counter_1x1() { return Cosim<Vseq_counter_1x1>(named("seq_counter"), {1, 1, 1}, 1); }
auto par_thermo_1x1() { return Cosim<Vpar_thermo_1x1>(named("par_thermo"), {1, 1, 1}, 1); }

}  // namespace

TEST_CASE("the control units in SystemC and RTL agree in every cycle", "[cosim]") {
  SECTION("seq_counter") { check_cosim("control_unit_seq_counter", cosim_cycles(), seq_counter); }
  SECTION("seq_adder") { check_cosim("control_unit_seq_adder", cosim_cycles(), seq_adder); }
  SECTION("par_counter") { check_cosim("control_unit_par_counter", cosim_cycles(), par_counter); }
  SECTION("par_adder") { check_cosim("control_unit_par_adder", cosim_cycles(), par_adder); }
  SECTION("par_thermo") { check_cosim("control_unit_par_thermo", cosim_cycles(), par_thermo); }
}

TEST_CASE("the control units agree at one switch in each stage", "[cosim]") {
  SECTION("seq") { check_cosim("control_unit_seq_1x1", cosim_cycles(10'000), seq_counter_1x1); }
  SECTION("par") { check_cosim("control_unit_par_1x1", cosim_cycles(10'000), par_thermo_1x1); }
}

TEST_CASE("requests to the control units end in every way that there is", "[cosim]") {
  SECTION("seq_counter") { check_ends(seq_counter, 10); }
  SECTION("seq_adder") { check_ends(seq_adder, 100); }
  SECTION("par_counter") { check_ends(par_counter, 100); }
  SECTION("par_adder") { check_ends(par_adder, 100); }
  SECTION("par_thermo") { check_ends(par_thermo, 100); }
}

TEST_CASE("lock-step finds a fault in any register bit of a control unit", "[faults]") {
  const auto missed = [](const auto& make, const std::vector<std::string>& rules) {
    return unexplained(faults_not_found(make), rules);
  };
  const std::vector<std::string> none;
  CHECK(missed(seq_counter, {}) == none);
  // Bit 3 says that no middle switch is available; then stuck_q is set, too, and the request is
  // blocked in either case.
  CHECK(missed(seq_adder, {"u_unit.least_q\\[3\\] stuck at 0"}) == none);
  CHECK(missed(par_counter, {}) == none);
  CHECK(missed(par_adder, {}) == none);
  // The size is the number of output switches wanted, which is at least one.
  CHECK(missed(par_thermo, {"u_unit.size_q\\[0\\] stuck at 1"}) == none);
}
