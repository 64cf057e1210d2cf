// SPDX-License-Identifier: Apache-2.0
#include <Vclos_data_path_13_4.h>
#include <Vclos_data_path_1_1.h>
#include <Vclos_data_path_5_2.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "clos/catalog.h"
#include "cosim/faults.h"
#include "rtl/clos_paths.h"
#include "rtl/verilated_bench.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

constexpr std::size_t kLatency = 3;

struct Word {
  bool valid = false;
  std::uint32_t flit = 0;  ///< Zero unless valid.
};

/// Lock-step bench of a data path and its expected outputs (see cosim.h for the interface): inputs
/// open connections to random idle outputs by random middle switches, send in every cycle and close
/// the connections again.
template <class Rtl>
class BusyDataPath {
 public:
  explicit BusyDataPath(const clos::Structure& structure)
      : structure_(structure),
        control_({{structure}},
                 [](const clos::Structure& network, unsigned) {
                   return find(clos::strategies(), "RND")->make({network, 0, 1});
                 }),
        cycles_left_(structure.inputs(), 0),
        in_flight_(kLatency + 1, Outputs(structure.outputs())),
        paths_(*rtl_.operator->(), structure) {
    clear_inputs();
    rtl_.reset();
  }

  void drive() {
    clear_inputs();
    step();
    rtl_.settle();
  }
  void compare(Lockstep& lockstep) {
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      const Word& due = in_flight_.front()[output];
      const bool valid = port_bit(rtl_->out_valid_o, output);
      if (valid) ++copies;
      lockstep.compare("out_valid_o", output, due.valid, valid);
      lockstep.compare("out_flit_o", output, due.flit, port_word(rtl_->out_flit_o, output));
    }
  }
  void edge() {
    rtl_.edge();
    in_flight_.pop_front();
    in_flight_.emplace_back(structure_.outputs());
  }
  /// Applies an edge in reset, which removes all connections and all flits in flight.
  void reset() {
    clear_inputs();
    rtl_.reset();
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
      if (cycles_left_[input] != 0) control_.disconnect(clos::InputId{input});
    }
    std::fill(cycles_left_.begin(), cycles_left_.end(), 0U);
    for (Outputs& outputs : in_flight_) outputs.assign(structure_.outputs(), {});
  }
  VerilatedBench<Rtl>& rtl() { return rtl_; }

  std::uint64_t copies = 0;  ///< Flits seen at outputs.
  std::uint64_t flits = 0;   ///< Flits sent.

 private:
  using Outputs = std::vector<Word>;

  // A connection of L flits is written in cycle 0, sends in 1 .. L, and is made idle in cycle L +
  // 2, in which its last flit is at the output switches.
  void step() {
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
      std::uint32_t& left = cycles_left_[input];
      if (left == 0) {
        connect(input);
      } else if (--left >= 3) {
        send(input);
      }
    }
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
      if (cycles_left_[input] == 1) close(input);
    }
  }

  void close(std::uint32_t input) {
    paths_.write(control_.path(clos::InputId{input}), false);
    control_.disconnect(clos::InputId{input});
    cycles_left_[input] = 0;
  }

  void connect(std::uint32_t input) {
    std::vector<clos::OutputId> idle;
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      const bool free = !control_.state().owner(clos::OutputId{output});
      if (free && random_() % 3 == 0) idle.push_back(clos::OutputId{output});
    }
    const clos::InputId id{input};
    if (idle.empty() || control_.connect(id, idle).blocked) return;
    paths_.write(control_.path(id), true);
    cycles_left_[input] = 4 + static_cast<std::uint32_t>(random_() % 40);
  }

  void send(std::uint32_t input) {
    const Word word{true, static_cast<std::uint32_t>(random_())};
    set_port_bits(rtl_->in_valid_i, input, 1, 1);
    set_port_word(rtl_->in_flit_i, input, word.flit);
    ++flits;
    for (std::uint32_t output = 0; output < structure_.outputs(); ++output) {
      const auto owner = control_.state().owner(clos::OutputId{output});
      if (owner == clos::InputId{input}) in_flight_.back()[output] = word;
    }
  }

  /// Clears the inputs; the RTL ignores the values of idle inputs.
  void clear_inputs() {
    paths_.leave();
    for (std::uint32_t input = 0; input < structure_.inputs(); ++input) {
      set_port_bits(rtl_->in_valid_i, input, 1, 0);
      set_port_word(rtl_->in_flit_i, input, static_cast<std::uint32_t>(random_()));
    }
  }

  const clos::Structure structure_;
  clos::MultistageAdmission control_;
  std::vector<std::uint32_t> cycles_left_;  // Remaining cycles of each input's connection.
  std::deque<Outputs> in_flight_;           // Front: due now; back: sent now.
  std::mt19937 random_{5};
  VerilatedBench<Rtl> rtl_;
  ClosPaths<Rtl> paths_;
};

template <class Rtl>
void run(BusyDataPath<Rtl>& path, int cycles) {
  Lockstep lockstep;
  for (; cycles > 0; --cycles) step_cosim(path, lockstep);
  if (lockstep.first_difference()) FAIL(*lockstep.first_difference());
}

template <class Rtl>
void check_data_path(const clos::Structure& structure, int cycles) {
  BusyDataPath<Rtl> path(structure);
  run(path, cycles);
  const auto ports = static_cast<std::uint64_t>(cycles) * structure.inputs();
  CHECK(path.flits > ports / 2);
  CHECK(path.copies >= path.flits - structure.inputs() * kLatency);
}

}  // namespace

TEST_CASE("every flit is on all outputs of its connection three clocks later", "[rtl]") {
  check_data_path<Vclos_data_path_13_4>(clos::Structure::symmetric(13, 4, 4), 50'000);
}

TEST_CASE("a data path of switches of odd sizes carries every flit", "[rtl]") {
  check_data_path<Vclos_data_path_5_2>({5, 2, 3, 3, 2}, 20'000);
}

TEST_CASE("a data path of one input and one output carries every flit", "[rtl]") {
  check_data_path<Vclos_data_path_1_1>(clos::Structure::symmetric(1, 1, 1), 1'000);
}

TEST_CASE("reset ends the connections of a data path and empties its links", "[rtl]") {
  BusyDataPath<Vclos_data_path_13_4> path(clos::Structure::symmetric(13, 4, 4));
  for (int round = 0; round < 200; ++round) {
    run(path, round);
    path.reset();
  }
  CHECK(path.copies > 10'000);
}

TEST_CASE("a fault in any register bit of a data path shows at its outputs", "[faults]") {
  CHECK(faults_not_found([] {
          return BusyDataPath<Vclos_data_path_5_2>(clos::Structure{5, 2, 3, 3, 2});
        }) == std::vector<std::string>{});
}
