// SPDX-License-Identifier: Apache-2.0
// Measures how fast the Verilated Seq./Adder controller of v(83,16,16) serves random dense
// requests: each request wants three of four output switches, 84 % of each destination set is
// taken, all middle switches are available, the sink takes every beat at once, and the store is
// different for every request.
#include <Vclos_seq_adder_83_16.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "rtl/bench/rtl_bench.h"
#include "rtl/verilated_bench.h"

namespace {

constexpr std::size_t kMiddles = 83;
constexpr std::size_t kOutputs = 16;
constexpr unsigned kRequests = 20'000;

using Bench = flitcast::VerilatedBench<Vclos_seq_adder_83_16>;
using Store = decltype(Vclos_seq_adder_83_16::store_i);

struct Request {
  SData wanted = 0;
  std::remove_reference_t<Store> store{};
};

std::vector<Request> random_requests() {
  std::mt19937 random(1);
  std::vector<Request> requests(256);
  for (Request& request : requests) {
    for (std::size_t k = 0; k < kOutputs; ++k) {
      if (random() % 4 != 0) request.wanted = static_cast<SData>(request.wanted | 1U << k);
    }
    for (std::size_t bit = 0; bit < kMiddles * kOutputs; ++bit) {
      if (random() % 100 < 84) request.store[bit / 32] |= 1U << bit % 32;
    }
  }
  return requests;
}

/// Serves one request and returns the number of clock edges that it takes.
unsigned serve(Bench& bench, const Request& request) {
  bench->req_set_i = request.wanted;
  bench->store_i = request.store;
  bench->req_valid_i = 1;
  bench.edge();
  bench->req_valid_i = 0;
  unsigned edges = 1;
  for (; bench->req_ready_o == 0; ++edges) bench.edge();
  return edges;
}

std::uint64_t run() {
  static const std::vector<Request> requests = random_requests();
  Bench bench;
  bench->beat_ready_i = 1;
  for (std::size_t j = 0; j < kMiddles; ++j) bench->req_avail_i[j / 32] |= 1U << j % 32;
  bench.reset();
  bench.edge();  // Raises ready.
  std::uint64_t edges = 0;
  for (unsigned n = 0; n < kRequests; ++n) edges += serve(bench, requests[n % requests.size()]);
  if (edges < std::uint64_t{kRequests} * (1 + kMiddles + 1)) {
    throw std::runtime_error("seq_adder: a request that takes less than a pass");
  }
  return kRequests;
}

}  // namespace

flitcast::RtlBench flitcast::seq_adder_bench() {
  return {"seq_adder", "v(83, 16, 16), random dense requests", "requests", run};
}
