// SPDX-License-Identifier: Apache-2.0
#include "tlm/random_master.h"

#include <algorithm>

namespace flitcast::tlm {

RandomMaster::RandomMaster(const sc_core::sc_module_name& module_name, std::size_t number,
                           const InterconnectParams& params, const RandomAccesses& accesses)
    : sc_module(module_name),
      params_(params),
      accesses_(accesses),
      random_(Random::stream(accesses.seed, number)),
      data_(accesses.bytes) {
  SC_HAS_PROCESS(RandomMaster);
  SC_THREAD(run);
}

void RandomMaster::run() {
  for (std::uint64_t made = 0; made < accesses_.transactions; ++made) {
    wait(static_cast<double>(random_.below(2 * accesses_.pause + 1)) * params_.period);
    access(params_.windows[random_.below(params_.windows.size())]);
  }
}

void RandomMaster::access(const Window& window) {
  const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(accesses_.bytes, window.size));
  Payload payload;
  payload.set_command(random_.below(100) < accesses_.reads ? ::tlm::TLM_READ_COMMAND
                                                           : ::tlm::TLM_WRITE_COMMAND);
  payload.set_address(window.base + bytes * random_.below(window.size / bytes));
  payload.set_data_ptr(data_.data());
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  sc_time delay;
  socket->b_transport(payload, delay);
  wait(delay);
}

Answerer::Answerer(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
  socket.register_b_transport(this, &Answerer::answer);
}

}  // namespace flitcast::tlm
