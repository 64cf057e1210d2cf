// SPDX-License-Identifier: Apache-2.0
// clang-format off: Verilator's headers do not compile after SystemC's.
#include <Vclos_control_unit_0_13x4.h>
#include <Vclos_control_unit_0_1x1.h>
#include <Vclos_control_unit_1_7x5.h>
#include <Vclos_control_unit_2_5x4.h>
#include <Vclos_control_unit_3_13x4.h>
#include <Vclos_control_unit_4_13x4.h>
#include <Vclos_control_unit_4_1x1.h>
// clang-format on

#include <random>
#include <string>
#include <vector>

#include "base/bit_set.h"
#include "clos/controllers/catalog.h"
#include "network/pins/clos_controller.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"
#include "twins/lockstep.h"
#include "twins/port_bits.h"

using namespace flitcast;

namespace {

/// The rows of the matrix, one after another without gaps, as a flat port has them.
std::vector<std::uint32_t> flat(const BitMatrix& matrix) {
  std::vector<std::uint32_t> words(matrix.rows() * matrix.columns() / 32 + 1);
  for (std::size_t bit = 0; bit < matrix.rows() * matrix.columns(); ++bit) {
    const bool member = matrix.test(bit / matrix.columns(), bit % matrix.columns());
    words[bit / 32] |= member ? 1U << bit % 32 : 0U;
  }
  return words;
}

/// Inputs of a cycle.
struct Stimulus {
  bool rst_n = true;
  bool req_valid = false;
  unsigned req_switch = 0;
  BitSet req_set;
  BitSet req_held;
  bool req_link = false;
  bool rel_valid = false;
  unsigned rel_switch = 0;
  unsigned rel_middle = 0;
  BitSet rel_set;
  bool rel_link = false;
};

/// Random requests and releases, drawn anew in every cycle whether they are accepted or not. They
/// come in spells, some of which fill the network and some of which empty it. The unit knows links
/// and no connections, so a release may be any, even of links that are free.
class Traffic {
 public:
  Traffic(const clos::ControllerParams& params, std::size_t input_switches)
      : params_(params), input_switches_(input_switches) {}

  Stimulus next(const clos::DestinationStore& store) {
    if (one_in(500)) new_spell();
    Stimulus now;
    now.rst_n = !one_in(5000);
    now.req_valid = percent(requests_);
    now.req_switch = below(input_switches_);
    now.req_set = some_of(params_.r);
    if (now.req_set.none()) now.req_set.set(below(params_.r));
    now.req_link = !one_in(4);
    now.rel_valid = percent(releases_);
    now.rel_switch = below(input_switches_);
    now.rel_middle = below(params_.m);
    now.rel_set = some_of(params_.r);
    now.rel_link = one_in(2);
    now.req_held = BitSet(params_.m);
    if (one_in(2)) now.req_held = held(now, store);
    return now;
  }

 private:
  /// Only links that are taken, also by the time that the release is done.
  BitSet held(const Stimulus& now, const clos::DestinationStore& store) {
    BitSet held = some_of(params_.m);
    held -= store.available().set_of(now.req_switch);
    held.reset(now.rel_middle);
    return held;
  }
  void new_spell() {
    requests_ = 20 * below(6);
    releases_ = 20 * below(6);
    members_ = 20 + 20 * below(5);
  }
  BitSet some_of(std::size_t size) {
    BitSet set(size);
    for (std::size_t member = 0; member < size; ++member) {
      if (percent(members_)) set.set(member);
    }
    return set;
  }
  unsigned below(std::size_t end) { return static_cast<unsigned>(random_() % end); }
  bool one_in(unsigned n) { return below(n) == 0; }
  bool percent(unsigned share) { return below(100) < share; }

  const clos::ControllerParams params_;
  const std::size_t input_switches_;
  std::mt19937 random_{17};
  unsigned requests_ = 50;
  unsigned releases_ = 5;
  unsigned members_ = 60;
};

/// The SystemC unit and its RTL twin on the same clock, with the same inputs.
template <class Rtl>
class Twins {
 public:
  Twins(const std::string& design, const clos::ControllerParams& params, std::size_t input_switches)
      : traffic_(params, input_switches),
        req_set_("req_set", BitSet(params.r)),
        req_held_("req_held", BitSet(params.m)),
        rel_set_("rel_set", BitSet(params.r)),
        leg_set_("leg_set", BitSet(params.r)),
        model_("unit", find(clos::controllers(), design)->make, params, input_switches) {
    bind();
    Stimulus reset = traffic_.next(model_.store());
    reset.rst_n = false;
    cycle(reset);
  }

  void run(int cycles) {
    for (int cycles_left = cycles; cycles_left > 0; --cycles_left) {
      cycle(traffic_.next(model_.store()));
      compare();
      count();
    }
  }

  Lockstep lockstep;
  int done = 0;
  int done_by_several = 0;  ///< Legs.
  int blocked = 0;
  int blocked_with_legs = 0;  ///< They are void.

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

  /// Inputs at the falling edge, the rising edge, and outputs at the next falling edge.
  void cycle(const Stimulus& now) {
    drive_model(now);
    drive_rtl(now);
    rtl_.settle();
    half(false);
    half(true);
    rtl_.edge();
  }
  void half(bool level) {
    clk_ = level;
    sc_core::sc_start(0.5, sc_core::SC_NS);
  }
  void drive_model(const Stimulus& now) {
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
  void drive_rtl(const Stimulus& now) {
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

  void compare() {
    const bool valid = leg_valid_.read();
    lockstep.compare("ready_o", 0, ready_.read(), rtl_->ready_o);
    lockstep.compare("leg_valid_o", 0, valid, rtl_->leg_valid_o);
    lockstep.compare("leg_middle_o", 0, valid ? leg_middle_.read() : 0,
                     valid ? rtl_->leg_middle_o : 0);
    lockstep.compare("leg_set_o", 0, valid ? *leg_set_.read().words() : 0,
                     valid ? rtl_->leg_set_o : 0);
    lockstep.compare("done_o", 0, done_.read(), rtl_->done_o);
    lockstep.compare("blocked_o", 0, blocked_.read(), rtl_->blocked_o);
    compare("sets_o", model_.store().destination_sets(), rtl_->sets_o);
    compare("avail_o", model_.store().available(), rtl_->avail_o);
    lockstep.next_cycle();
  }
  template <class Port>
  void compare(const char* name, const BitMatrix& model, const Port& rtl) {
    const std::vector<std::uint32_t> words = flat(model);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
      lockstep.compare(name, w, words[w], port_word(rtl, w));
    }
  }

  void count() {
    legs_ += leg_valid_.read() ? 1 : 0;
    done += done_.read() ? 1 : 0;
    done_by_several += done_.read() && legs_ > 1 ? 1 : 0;
    blocked += blocked_.read() ? 1 : 0;
    blocked_with_legs += blocked_.read() && legs_ > 0 ? 1 : 0;
    if (ready_.read()) legs_ = 0;
  }

  template <class T>
  using Signal = sc_core::sc_signal<T>;

  Traffic traffic_;
  int legs_ = 0;  // Of the present request.
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

/// @param least  Requests of each kind of end that there are to be.
template <class Rtl>
void check_twins(const std::string& design, const clos::ControllerParams& params,
                 std::size_t input_switches, int cycles, int least) {
  Twins<Rtl> twins(design, params, input_switches);
  twins.run(cycles);
  const auto& difference = twins.lockstep.first_difference();
  if (difference) FAIL("first difference in " << *difference);
  CHECK(twins.lockstep.model_hash() == twins.lockstep.rtl_hash());
  CHECK(twins.done > least);
  CHECK(twins.blocked > least);
  if (params.r == 1) return;  // No request takes several legs.
  CHECK(twins.done_by_several > least);
  CHECK(twins.blocked_with_legs > least);
}

}  // namespace

TEST_CASE("the control units in SystemC and RTL agree with seq_counter", "[twins]") {
  check_twins<Vclos_control_unit_0_13x4>("seq_counter", {13, 4, 2}, 4, 100'000, 10);
}

TEST_CASE("the control units in SystemC and RTL agree with seq_adder", "[twins]") {
  check_twins<Vclos_control_unit_1_7x5>("seq_adder", {7, 5, 3}, 3, 100'000, 100);
}

TEST_CASE("the control units in SystemC and RTL agree with par_counter", "[twins]") {
  check_twins<Vclos_control_unit_2_5x4>("par_counter", {5, 4, 4}, 4, 100'000, 100);
}

TEST_CASE("the control units in SystemC and RTL agree with par_adder", "[twins]") {
  check_twins<Vclos_control_unit_3_13x4>("par_adder", {13, 4, 2}, 4, 100'000, 100);
}

TEST_CASE("the control units in SystemC and RTL agree with par_thermo", "[twins]") {
  check_twins<Vclos_control_unit_4_13x4>("par_adder", {13, 4, 2}, 4, 100'000, 100);
}

TEST_CASE("the control units in SystemC and RTL agree at one switch in each stage", "[twins]") {
  SECTION("seq_counter") {
    check_twins<Vclos_control_unit_0_1x1>("seq_counter", {1, 1, 1}, 1, 10'000, 100);
  }
  SECTION("par_thermo") {
    check_twins<Vclos_control_unit_4_1x1>("par_adder", {1, 1, 1}, 1, 10'000, 100);
  }
}
