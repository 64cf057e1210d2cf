// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the controllers of the control algorithm.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "clos/catalog.h"
#include "clos/controllers/control_unit.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

/// A request as a controller serves it, with its passes and the clocks that it takes.
clos::Selection served_by(const clos::ControllerEntry& design, const clos::Question& input) {
  const std::size_t m = input.busy.rows();
  BitMatrix links(1, m);
  links.assign(0, input.candidates);
  clos::ControlUnit unit(design.make, {m, input.busy.columns()}, {input.busy, links});
  clos::Selection served(input.busy.columns());
  std::size_t passes = 0;
  std::uint64_t clocks = 1;
  const clos::ControlUnit::Request request{0, input.wanted};
  while (!unit.ready()) unit.edge(nullptr);
  for (unit.edge(&request); !unit.done() && !unit.blocked(); unit.edge(nullptr)) {
    ++clocks;
    if (!unit.leg_valid()) continue;
    ++passes;
    served.add(unit.leg().middle, unit.leg().served.words());
  }
  if (unit.blocked()) served.block();
  served.set_passes(passes + (unit.blocked() ? 1 : 0));
  served.set_clocks(clocks);
  return served;
}

/// Compares all designs with the control algorithm on an input.
void compare_designs(const clos::Question& input, Figures& figures) {
  const clos::Selection expected = selected_by("S1", input);
  figures.add("inputs", 1);
  figures.add("differences", route_faults(expected, input) != 0);
  figures["passes"] = std::max(figures.values.value("passes", std::size_t{0}), expected.passes());
  for (const clos::ControllerEntry& design : clos::controllers()) {
    const clos::Selection got = served_by(design, input);
    figures.add("differences", got.blocked() != expected.blocked() || got != expected);
    const std::uint64_t c = design.make.pass_clocks(input.busy.rows(), input.busy.columns());
    const std::uint64_t clocks = expected.blocked() ? clos::clocks_streamed(expected.passes(), c)
                                                    : clos::clocks_done(expected.passes(), c);
    figures.add("clock_differences", got.clocks() != clocks);
  }
}

/// All inputs of controllers for up to nine pairs of switches, random ones beyond.
Figures controllers_agree(const Section& parameters) {
  const auto [m, r] = counts_in(parameters, "m", "r");
  Figures figures;
  figures["designs"] = clos::controllers().size();
  if (m * r > 9) {
    Random random(parameters.count("seed"));
    for (std::size_t i = 0; i < parameters.count("random"); ++i) {
      compare_designs(drawn_input(m, r, random), figures);
    }
    return figures;
  }
  for (std::size_t sets = 0; sets < std::size_t{1} << m * r; ++sets) {
    clos::Question input{{}, BitSet(r), BitSet(m), {m, r}};
    for (std::size_t j = 0; j < m; ++j) input.busy.assign(j, set_of_bits(sets >> j * r, r));
    for (std::size_t wanted = 1; wanted < std::size_t{1} << r; ++wanted) {
      input.wanted = set_of_bits(wanted, r);
      for (std::size_t available = 0; available < std::size_t{1} << m; ++available) {
        input.candidates = set_of_bits(available, m);
        compare_designs(input, figures);
      }
    }
  }
  return figures;
}

/// A request that takes `passes` = P passes: middle switch j < P serves only every P-th output
/// switch from j on; the other middle switches are not available.
clos::Question input_of_passes(std::size_t m, std::size_t r, std::size_t passes) {
  clos::Question input{{}, BitSet::full(r), BitSet(m), {m, r}};
  for (std::size_t j = 0; j < m; ++j) {
    BitSet busy = BitSet::full(r);
    for (std::size_t k = j; j < passes && k < r; k += passes) busy.reset(k);
    if (j < passes) input.candidates.set(j);
    input.busy.assign(j, busy);
  }
  return input;
}

Figures controller_clocks(const Section& parameters) {
  const auto [n, r] = counts_in(parameters, "n", "r");
  const clos::Bound bound = clos::theorem3(n, r);
  const std::size_t m = parameters.count("m") == 0 ? bound.m : parameters.count("m");
  const std::size_t passes = parameters.count("P") == 0 ? bound.x : parameters.count("P");
  if (m < bound.m) {
    parameters.fail("m", "is below Theorem 3", fmt::format("take at least {}", bound.m));
  }
  if (passes > std::min(m, r)) {
    parameters.fail("P", "no request takes as many passes", "take at most the smaller of m and r");
  }
  const clos::Selection served = served_by(*clos::controllers().find(parameters.text("design")),
                                           input_of_passes(m, r, passes));
  return {{{"clocks", served.clocks()},
           {"passes", served.passes()},
           {"P", passes},
           {"m", m},
           {"x", bound.x}}};
}

}  // namespace

FigureMakers control_makers() {
  return {{"controllers_agree", controllers_agree}, {"controller_clocks", controller_clocks}};
}

}  // namespace flitcast::claims
