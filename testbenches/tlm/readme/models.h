// SPDX-License-Identifier: Apache-2.0
// The user's models of the manual's example: a processor that reads a word from each of two
// memories, if it is the first, and a memory that answers at once.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>

SC_MODULE(Cpu) {
  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};

  SC_CTOR(Cpu) { SC_THREAD(run); }

  void run() {
    if (std::string(name()) != "top.cpu0") return;
    for (const sc_dt::uint64 address : {0x80000000ULL, 0x90000000ULL}) read(address);
  }

  void read(sc_dt::uint64 address) {
    unsigned char data[4];
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_ERROR(name(), "no answer");
  }
};

SC_MODULE(Ram) {
  tlm_utils::simple_target_socket<Ram> socket{"socket"};

  SC_CTOR(Ram) { socket.register_b_transport(this, &Ram::transport); }

  void transport(tlm::tlm_generic_payload & payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};
