// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <vector>

#include "base/random.h"
#include "tlm/interconnect_plan.h"

namespace flitcast::tlm {

/// The accesses of a RandomMaster.
struct RandomAccesses {
  std::uint64_t transactions = 1000;
  /// Mean cycles between two; each pause is drawn from 0 to twice this.
  std::uint64_t pause = 100;
  unsigned bytes = 64;  ///< Bytes of each, at most those of its window, at a multiple of them.
  unsigned reads = 50;  ///< Percentage of reads; the others are writes.
  std::uint64_t seed = 1;
};

/// An initiator that tries an interconnect: it reads and writes at random addresses of all windows
/// by b_transport, one access after the other. Masters of different numbers draw differently.
class RandomMaster : public sc_core::sc_module {
 public:
  /// Both parameters must outlive the master. There must be a window.
  RandomMaster(const sc_core::sc_module_name& name, std::size_t number,
               const InterconnectParams& params, const RandomAccesses& accesses);
  tlm_utils::simple_initiator_socket<RandomMaster> socket{"socket"};

 private:
  void run();
  void access(const Window& window);

  const InterconnectParams& params_;
  const RandomAccesses& accesses_;
  Random random_;
  std::vector<unsigned char> data_;
};

/// A target that answers at once and keeps no data.
class Answerer : public sc_core::sc_module {
 public:
  explicit Answerer(const sc_core::sc_module_name& name);
  tlm_utils::simple_target_socket<Answerer> socket{"socket"};

 private:
  void answer(Payload& payload, sc_time&) { payload.set_response_status(::tlm::TLM_OK_RESPONSE); }
};

}  // namespace flitcast::tlm
