// SPDX-License-Identifier: Apache-2.0
#include "traffic/bit_permutations.h"
#include "traffic/csv_trace.h"
#include "traffic/grid_permutations.h"
#include "traffic/hot_spot.h"
#include "traffic/injection.h"
#include "traffic/netrace.h"
#include "traffic/pattern.h"
#include "traffic/random_permutation.h"
#include "traffic/trace_format.h"
#include "traffic/uniform.h"

namespace flitcast {
namespace {

using Type = Param::Type;
using nlohmann::json;

std::vector<Param> uniform_params() {
  return {
      {"include_self", Type::kBoolean, true, "", "Whether a node may draw itself as destination."},
  };
}

std::vector<Param> hot_spot_params() {
  return {
      {"hot_spots", Type::kIntegers, json::array({0}), "nodes", "The hot nodes.", 0},
      {"hot_fraction", Type::kNumber, 0.2, "",
       "Share of the packets that go to a hot node; the rest is uniform.", 0, 1},
  };
}

std::vector<Param> random_permutation_params() {
  return {
      {"permutation_seed", Type::kInteger, 1, "", "Which permutation.", 0},
  };
}

std::vector<Param> on_off_params() {
  return {
      {"burst_length", Type::kNumber, 100, "cycles", "Mean length of a burst.", 1},
      {"peak_load", Type::kNumber, 1.0, "flits per node and cycle", "Load during a burst.", 0},
  };
}

std::vector<Param> netrace_params() {
  return {
      {"flit_bytes", Type::kInteger, 16, "bytes", "Payload of a flit.", 1, 65536},
  };
}

Trace read_csv(std::istream& in, const std::string& file, const Section&) {
  return read_csv_trace(in, file);
}

Trace read_netrace_1(std::istream& in, const std::string& file, const Section& workload) {
  return read_netrace(in, file, static_cast<std::uint32_t>(workload.integer("flit_bytes")));
}

}  // namespace

const Catalog<CatalogEntry<PatternMaker>>& patterns() {
  static const Catalog<CatalogEntry<PatternMaker>> catalog{
      {"uniform", "every node equally likely", uniform_params(), make_uniform},
      {"transpose",
       "(x, y) to (y, x), or the halves of the node number swapped",
       {},
       make_transpose},
      {"bit_complement", "every bit of the node number inverted", {}, make_bit_complement},
      {"bit_reverse", "the bits of the node number in reverse order", {}, make_bit_reverse},
      {"shuffle", "the bits of the node number rotated left", {}, make_shuffle},
      {"tornado", "almost half-way round every dimension", {}, make_tornado},
      {"neighbour", "one step up in every dimension", {}, make_neighbour},
      {"hot_spot", "uniform, with a share for a few hot nodes", hot_spot_params(), make_hot_spot},
      {"random_permutation", "one permutation drawn from its own seed", random_permutation_params(),
       make_random_permutation},
  };
  return catalog;
}

const Catalog<CatalogEntry<InjectionMaker>>& injections() {
  static const Catalog<CatalogEntry<InjectionMaker>> catalog{
      {"bernoulli", "a coin in every cycle", {}, make_bernoulli},
      {"on_off", "bursts: a two-state Markov chain", on_off_params(), make_on_off},
  };
  return catalog;
}

const Catalog<CatalogEntry<TraceReader>>& trace_formats() {
  static const Catalog<CatalogEntry<TraceReader>> catalog{
      {"csv", "one packet a line: cycle,src,dst,flits[,class,id,deps]", {}, read_csv},
      {"netrace", "Netrace 1.0, usually .tra.bz2", netrace_params(), read_netrace_1},
  };
  return catalog;
}

}  // namespace flitcast
