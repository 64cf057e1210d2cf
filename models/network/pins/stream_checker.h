// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "network/pins/process.h"
#include "network/report.h"

namespace flitcast::pins {

/// Checks the rules of AXI4-Stream at a port whose tdata has `kWidth` bits; it drives nothing. A
/// broken rule is reported as an SC_ERROR with the module's name and the cycle, which counts edges
/// of clk_i. The rules:
///  - while a beat waits for tready, tvalid stays high, and tdata, tlast and tdest keep their
///    values;
///  - tvalid is low at the first edge out of reset;
///  - tdest is the same in all beats of a packet;
///  - a packet has at most `max_beats` beats: a lost tlast is seen there, or when the next packet
///    has another tdest.
/// Signals are sampled at rising edges of clk_i. Reset begins a new packet. A port without tdest
/// has a constant there; tid obeys the same rules in its place.
///
/// RTL: rtl/node/flitcast_stream_checker.sv, with the same texts.
/// Source: Arm, AMBA 4 AXI4-Stream Protocol Specification, IHI 0051A, sections 2.2 and 2.7.2.
template <int kWidth>
class StreamChecker : public Clocked {
 public:
  using Data = sc_dt::sc_bv<kWidth>;

  sc_core::sc_in<bool> tvalid_i{"tvalid_i"};
  sc_core::sc_in<bool> tready_i{"tready_i"};
  sc_core::sc_in<Data> tdata_i{"tdata_i"};
  sc_core::sc_in<bool> tlast_i{"tlast_i"};
  sc_core::sc_in<unsigned> tdest_i{"tdest_i"};

  /// @param max_beats  The longest packet; 0: any length.
  explicit StreamChecker(const sc_core::sc_module_name& name, std::uint32_t max_beats = 0)
      : Clocked(name),
        max_beats_(max_beats),
        too_long_("a packet has more than " + std::to_string(max_beats) + " beats") {}

 private:
  void tick() override {
    const bool valid = tvalid_i.read();
    require(!valid || !in_reset_, "stream/reset", "tvalid is high at the first edge out of reset");
    in_reset_ = false;
    require(valid || !waits_, "stream/valid", "tvalid dropped before tready");
    if (valid) check_beat();
    waits_ = valid && !tready_i.read();
    if (valid && tready_i.read()) beats_ = tlast_i.read() ? 0 : beats_ + 1;
  }
  void reset() override {
    in_reset_ = true;
    waits_ = false;
    beats_ = 0;
  }

  void check_beat() {
    require(!waits_ || tdata_i.read() == data_, "stream/data", "tdata changed while it waited");
    require(!waits_ || tlast_i.read() == last_, "stream/last", "tlast changed while it waited");
    require(!waits_ || tdest_i.read() == dest_, "stream/dest", "tdest changed while it waited");
    require(waits_ || beats_ == 0 || tdest_i.read() == dest_, "stream/dest",
            "tdest changed in a packet");
    require(max_beats_ == 0 || tlast_i.read() || beats_ + 1 < max_beats_, "stream/length",
            too_long_.c_str());
    data_ = tdata_i.read();
    last_ = tlast_i.read();
    dest_ = tdest_i.read();
  }

  void require(bool kept, const char* rule, const char* text) const {
    if (!kept) report_error(rule, name(), text + (", cycle " + std::to_string(cycle_)));
  }

  const std::uint32_t max_beats_;
  const std::string too_long_;
  bool in_reset_ = false;    ///< The last edge was in reset.
  bool waits_ = false;       ///< The beat of the last edge was not accepted.
  std::uint32_t beats_ = 0;  ///< Beats of the packet that were accepted.
  Data data_{};              ///< The values of the last beat.
  bool last_ = false;
  unsigned dest_ = 0;
};

}  // namespace flitcast::pins
