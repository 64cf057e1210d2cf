// SPDX-License-Identifier: Apache-2.0
// flitcast-controller-clocks M R X: prints for each design of the Clos controller the mean clocks
// of a random request, and the maximum of any request, from the accepting edge to its last beat.
//
// A request contains each output switch with probability 1/2, all middle switches are available,
// and each bit of the store is set with probability 0.84: so dense that one pass is seldom enough.
// All designs get the same 200 requests.
#include <cstdlib>
#include <iostream>
#include <string>

#include "base/random.h"
#include "clos/catalog.h"
#include "clos/controllers/controller.h"

namespace {

using namespace flitcast;

constexpr int kRequests = 200;
constexpr unsigned kWantedPercent = 50;
constexpr unsigned kStorePercent = 84;

BitSet random_set(std::size_t size, unsigned percent, Random& random) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if (random.below(100) < percent) set.set(member);
  }
  return set;
}

/// Never empty: it always contains output switch 0.
BitSet random_request(std::size_t r, Random& random) {
  BitSet request = random_set(r, kWantedPercent, random);
  request.set(0);
  return request;
}

std::uint64_t clocks_of_request(clos::Controller& controller, const BitMatrix& store,
                                const clos::ControllerOffer& offer) {
  controller.edge(store, true, &offer);
  std::uint64_t edges = 1;
  while (!controller.beat_valid() || !controller.beat().last) {
    controller.edge(store, true);
    ++edges;
  }
  return edges;
}

double average_clocks(const clos::ControllerDesign& design, const clos::ControllerParams& params) {
  Random random(1);
  BitSet available(params.m);
  for (std::size_t j = 0; j < params.m; ++j) available.set(j);
  std::uint64_t clocks = 0;
  for (int request = 0; request < kRequests; ++request) {
    BitMatrix store(params.m, params.r);
    for (std::size_t j = 0; j < params.m; ++j)
      store.assign(j, random_set(params.r, kStorePercent, random));
    const BitSet wanted = random_request(params.r, random);
    clos::Controller controller(design, params);
    controller.edge(store, true);
    clocks += clocks_of_request(controller, store, {wanted, available});
  }
  return static_cast<double>(clocks) / kRequests;
}

void print(const std::string& name, const clos::ControllerDesign& design,
           const clos::ControllerParams& params) {
  const std::uint64_t most =
      clos::clocks_streamed(params.pass_limit, design.pass_clocks(params.m, params.r));
  std::cout << name << ' ' << average_clocks(design, params) << ' ' << most << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: flitcast-controller-clocks M R X\n";
    return 2;
  }
  const clos::ControllerParams params{std::strtoul(argv[1], nullptr, 10),
                                      std::strtoul(argv[2], nullptr, 10),
                                      std::strtoul(argv[3], nullptr, 10)};
  for (const auto& entry : clos::controllers()) print(entry.name, entry.make, params);
  print("seq_counter_pruned", clos::pruned_seq_counter(), params);
  print("seq_adder_2", clos::seq_adder_of(2), params);
  print("seq_adder_4", clos::seq_adder_of(4), params);
  print("seq_adder_8", clos::seq_adder_of(8), params);
}
