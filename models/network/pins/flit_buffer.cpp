// SPDX-License-Identifier: Apache-2.0
#include "network/pins/flit_buffer.h"

namespace flitcast::pins {

FlitBuffer::FlitBuffer(const sc_core::sc_module_name& name, std::size_t depth)
    : Clocked(name), depth_(depth) {
  if (depth == 0) SC_REPORT_ERROR(this->name(), "a flit buffer has a depth of at least 1");
}

// Flits move according to the outputs in the cycle that ends at this edge.
void FlitBuffer::tick() {
  if (out_valid_o.read() && out_ready_i.read()) slots_.pop_front();
  if (in_valid_i.read() && in_ready_o.read()) slots_.push_back(in_flit_i.read());
}

void FlitBuffer::drive_outputs() {
  in_ready_o.write(slots_.size() < depth_);
  out_valid_o.write(!slots_.empty());
  if (!slots_.empty()) out_flit_o.write(slots_.front());
  count_o.write(static_cast<unsigned>(slots_.size()));
}

}  // namespace flitcast::pins
