// SPDX-License-Identifier: Apache-2.0
// A network between TLM-2.0 models, made in C++, with a protocol checker in front of one of them.
#include <flitcast/fabric.h>
#include <flitcast/tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <iostream>
#include <memory>

namespace {

struct Processor : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Processor, 64> socket{"socket"};
  int right = 0;

  SC_CTOR(Processor) { SC_THREAD(run); }
  void run() {
    for (unsigned char value = 1; value <= 10; ++value) {
      unsigned char data = value;
      access(tlm::TLM_WRITE_COMMAND, value, data);
      data = 0;
      access(tlm::TLM_READ_COMMAND, value, data);
      right += data == value;
    }
  }
  void access(tlm::tlm_command command, sc_dt::uint64 address, unsigned char& data) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(&data);
    payload.set_data_length(1);
    payload.set_streaming_width(1);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
  }
};

struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory, 64> socket{"socket"};
  unsigned char cells[256] = {};

  SC_CTOR(Memory) { socket.register_b_transport(this, &Memory::transport); }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    unsigned char& cell = cells[payload.get_address() % 256];
    if (payload.is_write()) cell = *payload.get_data_ptr();
    if (payload.is_read()) *payload.get_data_ptr() = cell;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(10, sc_core::SC_NS);
  }
};

}  // namespace

int sc_main(int, char*[]) {
  const flitcast::Grid mesh = flitcast::mesh({2, 2});
  flitcast::DimensionOrder::Params one_class;
  one_class.classes = flitcast::VcClasses::kNone;
  one_class.virtual_channels = 2;
  const flitcast::MessageClasses routing(
      std::make_unique<flitcast::DimensionOrder>(mesh, one_class), 2, 4);
  flitcast::tlm::InterconnectParams params;
  params.placement = {{flitcast::NodeId{0}}, {flitcast::NodeId{3}}};
  params.windows = {{0, 256, 0, 0}};
  params.check_protocol = true;

  flitcast::tlm::Interconnect<64> net("net", mesh, routing, flitcast::NetworkParams{}, params);
  flitcast::tlm::ProtocolChecker<64> checker("checker");
  Processor processor("processor");
  Memory memory("memory");
  processor.socket.bind(checker.target_socket);
  checker.initiator_socket.bind(net.target_socket[0]);
  net.initiator_socket[0].bind(memory.socket);
  sc_core::sc_start();

  net.audit();
  std::cout << processor.right << " of 10 values, " << net.initiator(0).transactions()
            << " transactions, " << checker.link().in_progress() << " in progress\n";
  return 0;
}
