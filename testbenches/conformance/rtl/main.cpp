// SPDX-License-Identifier: Apache-2.0
// usage: program REQUEST AVAILABLE SETS
// Serves one request in all designs of clos_controllers_tb.sv, and prints a line for each:
//
//   seq_adder 35 3 1:25 7:18 4:2    design, clocks, passes, middle switches and what they serve
//   seq_adder 11 2 BLOCKED
//
// Clocks end with COMMIT, one edge behind the last beat, if the request is not blocked. Built by
// serve_request, which defines FLITCAST_R and the designs in RTL.
#include <Vcontrollers.h>

#include <array>
#include <cstdio>
#include <string>

#include "cosim/port_bits.h"

namespace {

using flitcast::port_bit;
using flitcast::port_bits;

constexpr std::size_t kOutputs = FLITCAST_R;
constexpr std::array kDesigns{FLITCAST_CLOS_DESIGNS "seq_adder_rows", "seq_counter_pruned"};
constexpr unsigned kAll = (1U << kDesigns.size()) - 1;

/// Writes a set, hexadecimal, to the bits from `low` up.
template <class Port>
void drive(Port& port, const std::string& hex, std::size_t low = 0) {
  for (std::size_t bit = 0; bit < 4 * hex.size(); ++bit) {
    const std::string digit(1, hex[hex.size() - 1 - bit / 4]);
    if ((std::stoul(digit, nullptr, 16) >> bit % 4 & 1) == 0) continue;
    flitcast::set_port_bits(port, low + bit, 1, 1);
  }
}

template <class Port>
std::string hex(const Port& port, std::size_t low, std::size_t bits) {
  std::string text;
  for (std::size_t digit = (bits + 3) / 4; digit-- > 0;) {
    const std::size_t width = std::min<std::size_t>(4, bits - 4 * digit);
    const auto value = port_bits(port, low + 4 * digit, width);
    if (!text.empty() || value != 0) text += "0123456789abcdef"[value];
  }
  return text;
}

class Bench {
 public:
  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    ++edges;
  }
  /// Records the beats that are visible now.
  void observe() {
    for (std::size_t d = 0; d < kDesigns.size(); ++d) {
      if (ended(d) || !port_bit(top.beat_valid_o, d)) continue;
      const bool fail = port_bit(top.beat_fail_o, d);
      const bool last = port_bit(top.beat_last_o, d);
      ++passes[d];
      if (fail) {
        routes[d] = " BLOCKED";
      } else {
        routes[d] +=
            ' ' + std::to_string(port_bits(top.beat_middle_o, d * middle_bits(), middle_bits())) +
            ':' + hex(top.beat_set_o, d * kOutputs, kOutputs);
      }
      if (last) clocks[d] = edges + (fail ? 0 : 1);
    }
  }
  bool ended(std::size_t d) const { return clocks[d] != 0; }

  Vcontrollers top;
  std::size_t middles = 0;
  unsigned long edges = 0;
  std::array<unsigned long, kDesigns.size()> clocks{};
  std::array<unsigned long, kDesigns.size()> passes{};
  std::array<std::string, kDesigns.size()> routes;

 private:
  std::size_t middle_bits() const {
    std::size_t bits = 1;
    while (std::size_t{1} << bits < middles) ++bits;
    return bits;
  }
};

void drive_inputs(Bench& bench, char** argv) {
  drive(bench.top.req_set_i, argv[1]);
  drive(bench.top.req_avail_i, argv[2]);
  std::string set;
  for (const char* next = argv[3];; ++next) {
    if (*next != ',' && *next != '\0') {
      set += *next;
      continue;
    }
    drive(bench.top.store_i, set, kOutputs * bench.middles++);
    set.clear();
    if (*next == '\0') return;
  }
}

bool serve(Bench& bench) {
  bench.top.beat_ready_i = kAll;
  bench.edge();  // This edge is in reset.
  bench.top.rst_ni = 1;
  bench.edge();  // This edge raises ready.
  bench.top.req_valid_i = kAll;
  bench.edges = 0;
  bench.edge();  // This edge is LOAD.
  bench.top.req_valid_i = 0;
  // There are at most as many passes as output switches.
  const unsigned long most = (bench.middles * kOutputs + 1) * (kOutputs + 1) + 1;
  while (bench.edges <= most && bench.top.req_ready_o != kAll) {
    bench.edge();
    bench.observe();
  }
  return bench.top.req_ready_o == kAll;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Bench bench;
  drive_inputs(bench, argv);
  if (!serve(bench)) {
    std::fputs("a controller does not end\n", stderr);
    return 1;
  }
  for (std::size_t d = 0; d < kDesigns.size(); ++d) {
    std::printf("%s %lu %lu%s\n", kDesigns[d], bench.clocks[d], bench.passes[d],
                bench.routes[d].c_str());
  }
  return 0;
}
