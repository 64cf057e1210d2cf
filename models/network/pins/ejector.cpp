// SPDX-License-Identifier: Apache-2.0
#include "network/pins/ejector.h"

#include "network/pins/process.h"
#include "router/invariant.h"

namespace flitcast::pins {

Ejector::Ejector(const sc_core::sc_module_name& name, const Params& params, PacketLedger& ledger)
    : Clocked(name),
      params_(params),
      ledger_(ledger),
      order_(params.virtual_channels),
      hops_(params.virtual_channels, 0) {}

void Ejector::on_clock() {
  bool credit = false;
  if (!rst_ni.read()) {
    order_ = PacketOrder(params_.virtual_channels);
    in.give_credit(false, 0);
    return;
  }
  if (in.valid_i.read()) {
    do_reporting(*this, cycle_, [&] { credit = receive(in.vc_i.read(), in.flit_i.read()); });
  }
  in.give_credit(credit, in.vc_i.read());
  ++cycle_;
}

// Returns whether the flit returns a credit.
bool Ejector::receive(unsigned vc, const Flit& flit) {
  if (vc >= params_.virtual_channels) {
    broken_invariant("no such virtual channel", params_.port, vc);
  }
  if (const char* const wrong = order_.take(vc, flit)) broken_invariant(wrong, params_.port, vc);
  if (!ledger_.holds(flit.packet)) {
    broken_invariant("flit of a packet that is not in flight", params_.port, vc);
  }
  if (flit.destination != params_.node && !params_.multicast) {
    broken_invariant("packet at the wrong node", params_.port, vc);
  }
  if (flit.head) hops_[vc] = flit.hops;
  ++flits_;
  if (flit.tail()) {
    ledger_.arrived(flit.packet, {{}, params_.node, params_.port, Cycle{cycle_}, hops_[vc]});
  }
  return params_.unit == BufferUnit::kFlit || flit.tail();
}

}  // namespace flitcast::pins
