// SPDX-License-Identifier: Apache-2.0
#include <Vnode_source_1.h>
#include <Vnode_source_4.h>

#include <deque>
#include <optional>
#include <random>
#include <vector>

#include "cosim/faults.h"
#include "cosim/port_bits.h"
#include "network/fabric/message_class.h"
#include "router/bit_mask.h"

using namespace flitcast;

namespace {

/// Parameters of rtl/node/flitcast_node_source.sv with which a model is Verilated.
struct SourceShape {
  unsigned vcs = 1;
  unsigned classes = 1;
  unsigned depth = 1;
  unsigned data_width = 4;
  unsigned dest_width = 1;
  unsigned remaining_width = 1;
  unsigned max_flits = 1;
  unsigned store_flits = 1;
  unsigned store_packets = 1;
};

constexpr SourceShape kShape4{4, 2, 2, 8, 3, 2, 3, 5, 2};
constexpr SourceShape kShape1{};

struct StreamPacket {
  unsigned dest = 0;
  std::vector<unsigned> data;
};

/// Reference: the rule of models/network/pins/node.h, with ClassTurns and round_robin() of the
/// model, for packets that are created at the edge that accepts their last beat. Its outputs depend
/// on its state alone, so the RTL equals it only if no output follows an input.
class Source {
 public:
  struct Sending {
    unsigned message_class = 0;
    unsigned vc = 0;
    unsigned flit = 0;
  };

  explicit Source(const SourceShape& shape) : shape_(shape), turns_(shape.classes, {}) {
    queues_.resize(shape.classes);
    credits_.assign(shape.vcs, shape.depth);
  }

  bool ready(unsigned c) const {
    const Queue& queue = queues_[c];
    return queue.flits < shape_.store_flits && queue.whole.size() < shape_.store_packets;
  }
  unsigned taken(unsigned vc) const { return shape_.depth - credits_[vc]; }

  /// Returns the flit on the output, if any.
  std::optional<Sending> sending() const {
    ClassTurns::Last last = last_;
    std::optional<Sending> result;
    turns_.serve(last, [&](unsigned c) { return (result = offer(c)).has_value(); });
    return result;
  }

  void send(const Sending& sent) {
    last_[0] = static_cast<std::uint8_t>(sent.message_class);
    Queue& queue = queues_[sent.message_class];
    queue.vc = sent.vc;
    --credits_[sent.vc];
    --queue.flits;
    if (++queue.sent != queue.whole.front().data.size()) return;
    queue.sent = 0;
    queue.whole.pop_front();
  }
  void accept(unsigned c, unsigned data, unsigned dest, bool last) {
    Queue& queue = queues_[c];
    ++queue.flits;
    queue.arriving.data.push_back(data);
    if (!last) return;
    queue.arriving.dest = dest;
    queue.whole.push_back(queue.arriving);
    queue.arriving.data.clear();
  }
  void take_credit(unsigned vc) { ++credits_[vc]; }

 private:
  struct Queue {
    std::deque<StreamPacket> whole;
    StreamPacket arriving;
    unsigned flits = 0;
    unsigned sent = 0;  ///< Flits of the front packet that have left.
    unsigned vc = 31;   ///< As in the model: the first packet takes the first VC of its class.
  };

  std::optional<Sending> offer(unsigned c) const {
    const Queue& queue = queues_[c];
    if (queue.whole.empty()) return std::nullopt;
    std::uint64_t choices = 0;
    const unsigned of_class = shape_.vcs / shape_.classes;
    for (unsigned vc = c * of_class; vc < (c + 1) * of_class; ++vc) {
      if (credits_[vc] != 0 && (queue.sent == 0 || vc == queue.vc)) choices |= 1U << vc;
    }
    if (choices == 0) return std::nullopt;
    const StreamPacket& packet = queue.whole.front();
    unsigned flit = packet.data[queue.sent] << 1 | (queue.sent == 0 ? 1 : 0);
    flit = flit << shape_.remaining_width |
           (static_cast<unsigned>(packet.data.size()) - queue.sent - 1);
    flit = flit << shape_.dest_width | packet.dest;
    return Sending{c, round_robin(choices, queue.vc), flit};
  }

  SourceShape shape_;
  ClassTurns turns_;
  ClassTurns::Last last_{};
  std::vector<Queue> queues_;
  std::vector<unsigned> credits_;
};

/// Streams that keep the rules of AXI4-Stream, and a router that returns credits at random.
template <class Top>
class SourceCosim {
 public:
  explicit SourceCosim(const SourceShape& shape) : shape_(shape), model_(shape) {
    streams_.resize(shape.classes);
    rtl_->s_tvalid_i = 0;
    rtl_->out_credit_valid_i = 0;
    rtl_.reset();
  }

  void drive() {
    const bool was_reset = reset_;
    reset_ = draw(1000) == 0;
    if (draw(100) == 0) busy_ = draw(3);
    rtl_->rst_ni = !reset_;
    for (unsigned c = 0; c < shape_.classes; ++c) offer(c, !was_reset && !reset_);
    credit_vc_ = draw(shape_.vcs);
    credit_ = model_.taken(credit_vc_) != 0 && draw(3) >= busy_;
    rtl_->out_credit_valid_i = credit_;
    rtl_->out_credit_vc_i = static_cast<std::uint8_t>(credit_vc_);
    rtl_.settle();
  }

  void compare(Lockstep& lockstep) {
    for (unsigned c = 0; c < shape_.classes; ++c) {
      lockstep.compare("s_tready_o", c, model_.ready(c), port_bit(rtl_->s_tready_o, c));
    }
    const auto sending = model_.sending();
    lockstep.compare("out_valid_o", 0, sending.has_value(), rtl_->out_valid_o);
    lockstep.compare("out_vc_o", 0, sending ? sending->vc : 0, rtl_->out_vc_o);
    lockstep.compare("out_flit_o", 0, sending ? sending->flit : 0, rtl_->out_flit_o);
  }

  void edge() {
    const auto sending = model_.sending();
    for (unsigned c = 0; c < shape_.classes; ++c) {
      Stream& stream = streams_[c];
      if (!stream.valid || !model_.ready(c)) continue;
      model_.accept(c, stream.data, stream.dest, stream.left == 1);
      --stream.left;
      stream.valid = false;
    }
    if (sending) model_.send(*sending);
    if (credit_) model_.take_credit(credit_vc_);
    if (reset_) {
      model_ = Source(shape_);
      streams_.assign(shape_.classes, {});
    }
    rtl_.edge();
  }

  VerilatedBench<Top>& rtl() { return rtl_; }

 private:
  unsigned draw(unsigned count) { return static_cast<unsigned>(random_() % count); }

  struct Stream {
    bool valid = false;
    unsigned left = 0;  ///< Beats of the packet that are not accepted.
    unsigned data = 0;
    unsigned dest = 0;
  };

  void offer(unsigned c, bool may_begin) {
    Stream& stream = streams_[c];
    if (!stream.valid && may_begin && draw(4) != 0) {
      if (stream.left == 0) {
        stream.left = 1 + draw(shape_.max_flits);
        stream.dest = draw(1U << shape_.dest_width);
      }
      stream.valid = true;
      stream.data = draw(1U << shape_.data_width);
    }
    set_port_bits(rtl_->s_tvalid_i, c, 1, stream.valid ? 1 : 0);
    set_port_bits(rtl_->s_tdata_i, c * shape_.data_width, shape_.data_width, stream.data);
    set_port_bits(rtl_->s_tdest_i, c * shape_.dest_width, shape_.dest_width, stream.dest);
    set_port_bits(rtl_->s_tlast_i, c, 1, stream.left == 1 ? 1 : 0);
  }

  const SourceShape shape_;
  Source model_;
  std::vector<Stream> streams_;
  bool reset_ = true;
  bool credit_ = false;
  unsigned credit_vc_ = 0;
  unsigned busy_ = 1;  ///< How rarely credits come back.
  std::mt19937 random_{7};
  VerilatedBench<Top> rtl_;
};

auto of_4() { return SourceCosim<Vnode_source_4>(kShape4); }
auto of_1() { return SourceCosim<Vnode_source_1>(kShape1); }

/// The source of 4 VCs with a stream of class 0 whose beats never pause, and packets of three, the
/// most that fit; every credit comes back in the cycle after its flit.
class FullStream {
 public:
  FullStream() {
    rtl_->s_tvalid_i = 0;
    rtl_->out_credit_valid_i = 0;
    rtl_.reset();
    rtl_.edge();
    rtl_->s_tvalid_i = 1;
  }
  /// Returns whether a flit is on the output in the cycle before the edge.
  bool cycle() {
    rtl_->s_tlast_i = beat_ % 3 == 2;
    rtl_.settle();
    const bool sends = rtl_->out_valid_o;
    const unsigned vc = rtl_->out_vc_o;
    if (port_bit(rtl_->s_tready_o, 0)) ++beat_;
    rtl_.edge();
    rtl_->out_credit_valid_i = sends;
    rtl_->out_credit_vc_i = static_cast<std::uint8_t>(vc);
    return sends;
  }

 private:
  unsigned beat_ = 0;
  VerilatedBench<Vnode_source_4> rtl_;
};

}  // namespace

TEST_CASE(
    "a source of streams in RTL sends each flit when and on which VC a node of the model does",
    "[cosim]") {
  check_cosim("node_source_4", cosim_cycles(), of_4);
  check_cosim("node_source_1", cosim_cycles(10'000), of_1);
}

TEST_CASE("a head leaves a source of streams in RTL in the cycle after the last beat", "[rtl]") {
  FullStream stream;
  for (int beat = 0; beat < 3; ++beat) CHECK_FALSE(stream.cycle());
  CHECK(stream.cycle());
}

TEST_CASE("a store of two flits more than the longest packet lets a flit leave in every cycle",
          "[rtl]") {
  FullStream stream;
  for (int beat = 0; beat < 3; ++beat) stream.cycle();
  for (int flit = 0; flit < 300; ++flit) REQUIRE(stream.cycle());
}

TEST_CASE("lock-step finds a fault in any register bit of a source of streams", "[faults]") {
  // Two flits at most follow a head.
  const std::vector<std::string> rules{kRequester0IsLater, "left_q\\[1\\] stuck at 0"};
  CHECK(unexplained(faults_not_found(of_4), rules) == std::vector<std::string>{});
}
