// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "network/fabric/stream_terminal.h"
#include "network/networks.h"

namespace flitcast {

/// Signals at the pins of a StreamTerminal.
template <int kWidth>
struct StreamSignals {
  using Data = sc_dt::sc_bv<kWidth>;

  explicit StreamSignals(const std::string& name)
      : s_tvalid((name + "_s_tvalid").c_str()), m_tready((name + "_m_tready").c_str()) {}

  void bind(StreamTerminal<kWidth>& terminal) {
    terminal.s_tvalid_i(s_tvalid);
    terminal.s_tready_o(s_tready);
    terminal.s_tdata_i(s_tdata);
    terminal.s_tlast_i(s_tlast);
    terminal.s_tdest_i(s_tdest);
    terminal.m_tvalid_o(m_tvalid);
    terminal.m_tready_i(m_tready);
    terminal.m_tdata_o(m_tdata);
    terminal.m_tlast_o(m_tlast);
    terminal.m_tid_o(m_tid);
  }
  /// Connects a checker to the stream out of the network, whose tid has the place of tdest.
  void bind_at_exit(pins::StreamChecker<kWidth>& checker) {
    checker.tvalid_i(m_tvalid);
    checker.tready_i(m_tready);
    checker.tdata_i(m_tdata);
    checker.tlast_i(m_tlast);
    checker.tdest_i(m_tid);
  }

  sc_core::sc_signal<bool> s_tvalid, s_tready, s_tlast;
  sc_core::sc_signal<Data> s_tdata;
  sc_core::sc_signal<unsigned> s_tdest;
  sc_core::sc_signal<bool> m_tvalid, m_tready, m_tlast;
  sc_core::sc_signal<Data> m_tdata;
  sc_core::sc_signal<unsigned> m_tid;
};

/// A fabric with a stream of each message class at every node, a checker at each stream out of the
/// network, and a clock and a reset that the test drives.
template <int kWidth>
class StreamFabric {
 public:
  StreamFabric(RoutedNetwork network, const NetworkParams& params, const StreamParams& streams = {},
               const std::vector<ExternalSlot>& external = {})
      : network_(std::move(network)),
        fabric_("fabric", *network_.topology, *network_.routing, params, {}, external) {
    fabric_.clk_i(clock_);
    fabric_.rst_ni(reset_n);
    for (std::uint32_t node = 0; node < network_.topology->node_count(); ++node) {
      for (std::size_t c = 0; c < network_.routing->message_classes(); ++c) add(node, c, streams);
    }
  }

  Fabric& fabric() { return fabric_; }
  /// The signals of node n and class c are those of number n * classes + c.
  StreamSignals<kWidth>& at(std::size_t stream) { return signals_[stream]; }
  std::size_t streams() const { return signals_.size(); }

  /// Lets signals that the test has written settle.
  void settle() {
    const bool started = sc_core::sc_get_status() != sc_core::SC_ELABORATION;
    if (started && !sc_core::sc_pending_activity_at_current_time()) return;  // It would warn.
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void edge() {
    settle();  // The first edge is one only after the kernel has started.
    for (const bool level : {true, false}) {
      clock_.write(level);
      sc_core::sc_start(1, sc_core::SC_NS);
    }
  }

  sc_core::sc_signal<bool> reset_n{"reset_n", true};

 private:
  void add(std::uint32_t node, std::size_t message_class, StreamParams params) {
    params.message_class = static_cast<std::uint8_t>(message_class);
    const std::string name = "stream_" + std::to_string(signals_.size());
    signals_.emplace_back(name);
    terminals_.push_back(
        std::make_unique<StreamTerminal<kWidth>>(name.c_str(), fabric_, NodeId{node}, params));
    terminals_.back()->clk_i(clock_);
    terminals_.back()->rst_ni(reset_n);
    signals_.back().bind(*terminals_.back());
    checkers_.push_back(std::make_unique<pins::StreamChecker<kWidth>>((name + "_checker").c_str(),
                                                                      params.max_flits));
    checkers_.back()->clk_i(clock_);
    checkers_.back()->rst_ni(reset_n);
    signals_.back().bind_at_exit(*checkers_.back());
  }

  const RoutedNetwork network_;
  sc_core::sc_signal<bool> clock_{"clock"};
  Fabric fabric_;
  std::deque<StreamSignals<kWidth>> signals_;
  std::vector<std::unique_ptr<StreamTerminal<kWidth>>> terminals_;
  std::vector<std::unique_ptr<pins::StreamChecker<kWidth>>> checkers_;
};

/// A stream of random packets that keeps the rules of AXI4-Stream.
class RandomStream {
 public:
  struct Shape {
    unsigned nodes = 16;
    unsigned max_flits = 16;
    unsigned data_width = 32;  ///< At most 32.
  };

  /// Offers another beat, or pauses, unless a beat waits.
  /// @param pause      How many times of 4 it pauses.
  /// @param may_begin  False: no packet begins, and no beat is offered.
  template <class Random>
  void offer(const Shape& shape, Random& random, unsigned pause, bool may_begin) {
    if (valid || !may_begin || random() % 4 < pause) return;
    if (left == 0) {
      left = 1 + static_cast<unsigned>(random() % shape.max_flits);
      dest = static_cast<unsigned>(random() % shape.nodes);
    }
    valid = true;
    data = static_cast<std::uint32_t>(random()) >> (32 - shape.data_width);
  }
  bool last() const { return left == 1; }
  void accepted() {
    --left;
    valid = false;
  }

  bool valid = false;
  std::uint32_t data = 0;
  unsigned dest = 0;
  unsigned left = 0;  ///< Beats of the packet that have not been accepted.
};

}  // namespace flitcast
