// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>
#include <vector>

#include "network/pins/channel.h"
#include "network/pins/process.h"

namespace flitcast::pins {

/// A channel that takes time: registers for flits one way and for credits the other.
///
///   in_valid_i, in_vc_i, in_flit_i      --> [ latency registers ]        --> out_*_o
///   in_credit_valid_o, in_credit_vc_o   <-- [ credit_latency registers ] <-- out_credit_*_i
///
/// What is sampled at a rising clk_i edge is on the other side `latency` edges later (with 1: after
/// the edge that samples it). Nobody holds anything back: whoever sends has a credit.
/// Reset loses what is in flight.
class Link : public Clocked {
 public:
  struct Params {
    std::uint32_t latency = 1;          ///< Cycles of a flit, at least 1.
    std::uint32_t credit_latency = 1;   ///< Cycles of a credit, at least 1.
    std::uint32_t cycles_per_flit = 1;  ///< From one flit to the next, at least 1.
  };

  FlitInput in{"in"};
  FlitOutput out{"out"};

  /// A parameter of 0, and later a flit that comes too soon after the one before, are reported as
  /// an SC_ERROR.
  Link(const sc_core::sc_module_name& name, const Params& params);

  /// What is in the registers, the ones that are on the outputs included; heads are flits, too.
  unsigned flits(unsigned vc) const { return flits_.count(vc, false); }
  unsigned heads(unsigned vc) const { return flits_.count(vc, true); }
  unsigned credits(unsigned vc) const { return credits_.count(vc, false); }

 private:
  struct Token {
    bool valid = false;
    unsigned vc = 0;
    Flit flit{};
  };
  /// As many registers in a row as it has tokens; the oldest is on the outputs.
  class Line {
   public:
    explicit Line(std::size_t registers) : tokens_(registers) {}
    /// An edge: the new token goes in, and the oldest is the one that comes out.
    void shift(const Token& token);
    const Token& oldest() const { return tokens_[oldest_]; }
    void clear();
    unsigned count(unsigned vc, bool heads_only) const;

   private:
    std::vector<Token> tokens_;
    std::size_t oldest_ = 0;
  };

  void on_clock() override;
  void require_pace();

  const Params params_;
  Line flits_;
  Line credits_;
  std::uint64_t cycle_ = 0;
  std::uint64_t free_ = 0;  ///< The first cycle in which another flit may come.
};

}  // namespace flitcast::pins
