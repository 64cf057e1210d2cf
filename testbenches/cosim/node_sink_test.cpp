// SPDX-License-Identifier: Apache-2.0
#include <Vnode_sink_1.h>
#include <Vnode_sink_4.h>

#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "router/bit_mask.h"

using namespace flitcast;

namespace {

/// Parameters of rtl/node/flitcast_node_sink.sv with which a model is Verilated.
struct SinkShape {
  unsigned vcs = 1;
  unsigned classes = 1;
  unsigned depth = 1;
  unsigned data_width = 4;
  unsigned dest_width = 1;
  unsigned remaining_width = 1;
};

constexpr SinkShape kShape4{4, 2, 2, 8, 3, 2};
constexpr SinkShape kShape1{};

struct Beat {
  unsigned data = 0;
  bool last = false;
};

/// Reference: a stream takes turns over the VCs of its class, packet by packet; credits take turns
/// over all VCs.
class Sink {
 public:
  explicit Sink(const SinkShape& shape) : shape_(shape), vcs_(shape.vcs), exits_(shape.classes) {}

  /// Returns the beat of a class, if any.
  std::optional<Beat> beat(unsigned c) const {
    const auto vc = vc_of(c);
    if (!vc || vcs_[*vc].flits.empty()) return std::nullopt;
    return vcs_[*vc].flits.front();
  }
  /// Returns the VC of the credit on the output, if any.
  std::optional<unsigned> credit() const {
    std::uint64_t owing = 0;
    for (unsigned vc = 0; vc < shape_.vcs; ++vc) owing |= std::uint64_t{vcs_[vc].owed != 0} << vc;
    if (owing == 0) return std::nullopt;
    return round_robin(owing, last_credit_);
  }
  unsigned held(unsigned vc) const {
    return static_cast<unsigned>(vcs_[vc].flits.size()) + vcs_[vc].owed;
  }

  void edge(const std::vector<bool>& ready) {
    const auto credit_vc = credit();
    for (unsigned c = 0; c < shape_.classes; ++c) serve(c, ready[c]);
    if (!credit_vc) return;
    --vcs_[*credit_vc].owed;
    last_credit_ = *credit_vc;
  }
  void take(unsigned vc, const Beat& flit) { vcs_[vc].flits.push_back(flit); }

 private:
  struct Vc {
    std::deque<Beat> flits;
    unsigned owed = 0;
  };
  struct Exit {
    std::optional<unsigned> vc;  ///< VC of the packet that leaves.
    unsigned last = 63;
  };

  std::optional<unsigned> vc_of(unsigned c) const {
    if (exits_[c].vc) return exits_[c].vc;
    std::uint64_t occupied = 0;
    const unsigned of_class = shape_.vcs / shape_.classes;
    for (unsigned vc = c * of_class; vc < (c + 1) * of_class; ++vc) {
      occupied |= std::uint64_t{!vcs_[vc].flits.empty()} << vc;
    }
    if (occupied == 0) return std::nullopt;
    return exits_[c].last == 63 ? lowest_bit(occupied) : round_robin(occupied, exits_[c].last);
  }

  void serve(unsigned c, bool ready) {
    const auto beat_now = beat(c);
    exits_[c].vc = vc_of(c);
    if (exits_[c].vc) exits_[c].last = *exits_[c].vc;
    if (!beat_now || !ready) return;
    Vc& vc = vcs_[*exits_[c].vc];
    vc.flits.pop_front();
    ++vc.owed;
    if (beat_now->last) exits_[c].vc.reset();
  }

  SinkShape shape_;
  std::vector<Vc> vcs_;
  std::vector<Exit> exits_;
  unsigned last_credit_ = 62;
};

/// A router that sends random packets, interleaved, to streams that stall at random.
template <class Top>
class SinkCosim {
 public:
  explicit SinkCosim(const SinkShape& shape)
      : shape_(shape), model_(shape), left_(shape.vcs), ready_(shape.classes) {
    rtl_->in_valid_i = 0;
    rtl_->m_tready_i = 0;
    rtl_.reset();
  }

  void drive() {
    reset_ = draw(1000) == 0;
    if (draw(100) == 0) busy_ = draw(4);
    rtl_->rst_ni = !reset_;
    vc_ = draw(shape_.vcs);
    // The router has the credits that are neither held here nor on their way.
    sends_ = model_.held(vc_) < shape_.depth && draw(4) != 0;
    const bool head = left_[vc_] == 0;
    if (sends_ && head) left_[vc_] = 1 + draw(1U << shape_.remaining_width);
    flit_ = {draw(1U << shape_.data_width), left_[vc_] == 1};
    rtl_->in_valid_i = sends_;
    rtl_->in_vc_i = static_cast<std::uint8_t>(vc_);
    unsigned flit = flit_.data << 1 | (head ? 1 : 0);
    flit = flit << shape_.remaining_width | (sends_ ? left_[vc_] - 1 : 0);
    flit = flit << shape_.dest_width | draw(1U << shape_.dest_width);
    const unsigned width = shape_.data_width + 1 + shape_.remaining_width + shape_.dest_width;
    set_port_bits(rtl_->in_flit_i, 0, width, flit);
    for (unsigned c = 0; c < shape_.classes; ++c) {
      ready_[c] = draw(4) >= busy_;
      set_port_bits(rtl_->m_tready_i, c, 1, ready_[c] ? 1 : 0);
    }
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    for (unsigned c = 0; c < shape_.classes; ++c) {
      const auto beat = model_.beat(c);
      lockstep.compare("m_tvalid_o", c, beat.has_value(), port_bit(rtl_->m_tvalid_o, c));
      if (!beat) continue;
      lockstep.compare("m_tdata_o", c, beat->data,
                       port_bits(rtl_->m_tdata_o, c * shape_.data_width, shape_.data_width));
      lockstep.compare("m_tlast_o", c, beat->last, port_bit(rtl_->m_tlast_o, c));
    }
    const auto credit = model_.credit();
    lockstep.compare("in_credit_valid_o", 0, credit.has_value(), rtl_->in_credit_valid_o);
    lockstep.compare("in_credit_vc_o", 0, credit.value_or(0), rtl_->in_credit_vc_o);
  }

  void edge() {
    model_.edge(ready_);
    if (sends_) {
      model_.take(vc_, flit_);
      --left_[vc_];
    }
    if (reset_) {
      model_ = Sink(shape_);
      left_.assign(shape_.vcs, 0);
    }
    rtl_.edge();
  }

  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  const SinkShape shape_;
  Sink model_;
  std::vector<unsigned> left_;  ///< Flits of the packet on each VC that are not sent.
  std::vector<bool> ready_;
  bool reset_ = false;
  bool sends_ = false;
  unsigned vc_ = 0;
  unsigned busy_ = 1;  ///< How rarely the streams are ready.
  Beat flit_;
  std::mt19937 random_{11};
  VerilatedBench<Top> rtl_;
};

auto of_4() { return SinkCosim<Vnode_sink_4>(kShape4); }
auto of_1() { return SinkCosim<Vnode_sink_1>(kShape1); }

}  // namespace

TEST_CASE("a sink of streams in RTL gives whole packets in turn, and a credit for each beat",
          "[cosim]") {
  check_cosim("node_sink_4", cosim_cycles(), of_4);
  check_cosim("node_sink_1", cosim_cycles(10'000), of_1);
}

TEST_CASE("lock-step finds a fault in any register bit of a sink of streams", "[faults]") {
  CHECK(unexplained(faults_not_found(of_4), {kRequester0IsLater}) == std::vector<std::string>{});
}
