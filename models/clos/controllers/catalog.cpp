// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/catalog.h"

#include "clos/controllers/par_adder.h"
#include "clos/controllers/par_counter.h"
#include "clos/controllers/seq_counter.h"

namespace flitcast::clos {
namespace {

using Search = std::unique_ptr<MinimumSearch>;

Search seq_counter(std::size_t m, std::size_t r) { return std::make_unique<SeqCounter>(m, r); }
Search pruned_seq_counter(std::size_t m, std::size_t r) {
  return std::make_unique<SeqCounter>(m, r, true);
}
Search seq_adder(std::size_t m, std::size_t /*r*/) { return std::make_unique<SeqAdder>(m); }
Search par_counter(std::size_t m, std::size_t r) { return std::make_unique<ParCounter>(m, r); }
Search par_adder(std::size_t /*m*/, std::size_t /*r*/) { return std::make_unique<ParAdder>(); }

}  // namespace

const Catalog<CatalogEntry<ControllerDesign>>& controllers() {
  static const Catalog<CatalogEntry<ControllerDesign>> catalog{
      {"seq_counter",
       "one counter, one bit of one destination set per clock",
       {},
       {seq_counter_pass, seq_counter}},
      {"seq_adder",
       "one tree of adders, one destination set per clock",
       {},
       {seq_adder_pass, seq_adder}},
      {"par_counter",
       "a counter per middle switch, one bit of every destination set per clock",
       {},
       {par_counter_pass, par_counter}},
      {"par_adder",
       "a tree of adders per middle switch, a pass per clock",
       {},
       {par_adder_pass, par_adder}},
      {"par_thermo",
       "thermometer codes instead of adders, a pass per clock",
       {},
       {par_adder_pass, par_adder}},
  };
  return catalog;
}

const ControllerDesign& seq_counter_pruned() {
  static const ControllerDesign design{seq_counter_pass, pruned_seq_counter};
  return design;
}

}  // namespace flitcast::clos
