// SPDX-License-Identifier: Apache-2.0
// usage: flitcast-tlm-bench GAP_NS COUNT [QUANTUM_NS]
// 16 initiators on an 8x8 mesh write and read words of 16 targets by b_transport, each after a
// pause of about GAP_NS, until each has made COUNT transactions. With a quantum, times are
// estimates and initiators run ahead of the kernel by as much. Prints the transactions, the time
// that all of them took, and the flits that crossed a router.
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/random.h"
#include "tlm/bench.h"
#include "tlm/random_master.h"

namespace {

using flitcast::NodeId;
using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint32_t kEnds = 16;
constexpr std::uint64_t kWindow = 0x1000;

class Master : public sc_core::sc_module {
 public:
  Master(const sc_core::sc_module_name& module_name, std::uint32_t number, unsigned gap,
         std::uint64_t count, const sc_time& quantum)
      : sc_module(module_name),
        quantum_(quantum),
        gap_(gap),
        count_(count),
        random_(flitcast::Random::stream(1, number)) {
    SC_HAS_PROCESS(Master);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Master> socket{"socket"};
  sc_time spent;

 private:
  void run() {
    std::uint32_t word = 0;
    sc_time ahead;
    for (std::uint64_t k = 0; k < count_; ++k) {
      ahead += sc_time(static_cast<double>(gap_ / 2 + random_.below(gap_ + 1)), SC_NS);
      if (ahead > quantum_) {
        wait(ahead);
        ahead = sc_core::SC_ZERO_TIME;
      }
      const sc_time begin = sc_core::sc_time_stamp() + ahead;
      tlm::tlm_generic_payload payload;
      payload.set_command(random_.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
      payload.set_address(random_.below(kEnds) * kWindow);
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
      payload.set_data_length(sizeof word);
      payload.set_streaming_width(sizeof word);
      socket->b_transport(payload, ahead);
      spent += sc_core::sc_time_stamp() + ahead - begin;
    }
  }

  const sc_time quantum_;
  const unsigned gap_;
  const std::uint64_t count_;
  flitcast::Random random_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 3 && argc != 4) {
    std::cerr << "usage: flitcast-tlm-bench GAP_NS COUNT [QUANTUM_NS]\n";
    return 2;
  }
  const sc_time quantum(argc == 4 ? std::atof(argv[3]) : 0, SC_NS);
  const flitcast::RoutedNetwork mesh = flitcast::testing::mesh_network({8, 8});
  flitcast::tlm::InterconnectParams params;
  for (std::uint32_t i = 0; i < kEnds; ++i) {
    params.placement.initiators.push_back(NodeId{4 * i});
    params.placement.targets.push_back(NodeId{4 * i + 2});
    params.windows.push_back({i * kWindow, kWindow, i, 0});
  }
  if (argc == 4) params.timing = flitcast::tlm::Timing::kAnalytic;
  flitcast::tlm::Interconnect<> net("net", *mesh.topology, *mesh.routing, {}, params);
  std::vector<std::unique_ptr<Master>> masters;
  std::vector<std::unique_ptr<flitcast::tlm::Answerer>> memories;
  for (std::uint32_t i = 0; i < kEnds; ++i) {
    const std::string number = std::to_string(i);
    masters.push_back(std::make_unique<Master>(("master_" + number).c_str(), i,
                                               static_cast<unsigned>(std::atoi(argv[1])),
                                               std::strtoull(argv[2], nullptr, 10), quantum));
    memories.push_back(std::make_unique<flitcast::tlm::Answerer>(("memory_" + number).c_str()));
    masters[i]->socket.bind(net.target_socket[i]);
    net.initiator_socket[i].bind(memories[i]->socket);
  }
  sc_core::sc_start();
  net.audit();
  sc_time spent;
  std::uint64_t transactions = 0;
  for (std::uint32_t i = 0; i < kEnds; ++i) {
    spent += masters[i]->spent;
    transactions += net.initiator(i).reads() + net.initiator(i).writes();
  }
  std::cout << transactions << ' ' << spent << ' ' << net.fabric().flit_hops() << '\n';
  return 0;
}
