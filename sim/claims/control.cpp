// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the control algorithm and its controllers. Switches have numbers from
// 1 in parameters and figures, as on the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/controllers/control_unit.h"
#include "clos/traffic.h"
#include "sim/claims/control_input.h"
#include "sim/claims/statement.h"
#include "sim/claims/switch_sets.h"

namespace flitcast::claims {

using clos::Selection;

namespace {

BitSet drawn_set(std::size_t size, std::size_t percent, Random& random) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if (random.below(100) < percent) set.set(member);
  }
  return set;
}

}  // namespace

Selection selected_by(const std::string& strategy, const ControlInput& input) {
  const auto m = static_cast<std::uint32_t>(input.sets.rows());
  const auto r = static_cast<std::uint32_t>(input.sets.columns());
  Selection selection(r);
  clos::strategies().find(strategy)->make({{m, 1, 1, 1, r}})->select(input.request(), selection);
  return selection;
}

BitSet unservable(const ControlInput& input) {
  BitSet rest = input.wanted;
  input.available.for_each([&](std::size_t j) { rest &= input.sets.set_of(j); });
  return rest;
}

ControlInput control_input_of(const Section& parameters, std::size_t r) {
  std::vector<std::vector<std::size_t>> rows;
  for (const std::string& text : parameters.texts("M")) rows.push_back(members_in(text));
  std::vector<std::size_t> wanted;
  for (const std::int64_t k : parameters.integers("I")) {
    wanted.push_back(static_cast<std::size_t>(k));
  }
  if (r == 0) {
    for (const auto& row : rows) {
      for (const std::size_t k : row) r = std::max(r, k);
    }
    for (const std::size_t k : wanted) r = std::max(r, k);
  }
  if (rows.empty() || wanted.empty()) {
    parameters.fail("I", "there is no request", "give sets M=[{1,2},{2}] and I={1,2}");
  }
  try {
    ControlInput input{set_of_members(wanted, r), BitSet::full(rows.size()), {rows.size(), r}};
    for (std::size_t j = 0; j < rows.size(); ++j) input.sets.assign(j, set_of_members(rows[j], r));
    return input;
  } catch (const std::out_of_range&) {
    parameters.fail("M", "names a switch that does not exist", "take switches from 1 to r");
  }
}

ControlInput drawn_input(std::size_t m, std::size_t r, Random& random) {
  ControlInput input{drawn_set(r, 50, random), drawn_set(m, 60, random), {m, r}};
  input.wanted.set(random.below(r));
  const std::size_t percent = 50 + random.below(50);
  for (std::size_t j = 0; j < m; ++j) {
    input.sets.assign(j, drawn_set(r, random.below(6) == 0 ? 0 : percent, random));
  }
  return input;
}

clos::Structure network_of(std::size_t m, std::size_t n, std::size_t r) {
  return clos::Structure::symmetric(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(n),
                                    static_cast<std::uint32_t>(r));
}

namespace {

/// The most sets that hold the same output switch.
std::size_t most_holders(const BitMatrix& sets) {
  std::size_t most = 0;
  for (std::size_t k = 0; k < sets.columns(); ++k) {
    std::size_t holders = 0;
    for (std::size_t j = 0; j < sets.rows(); ++j) holders += sets.test(j, k) ? 1 : 0;
    most = std::max(most, holders);
  }
  return most;
}

/// The least x for which Theorem 2 ends the algorithm after x passes; without one, every pass
/// serves at least one output switch.
std::size_t passes_by_theorem(std::size_t available, std::size_t holders, std::size_t wanted) {
  if (holders == 0) return 1;
  if (available <= holders) return wanted;
  std::size_t x = 1;
  while (clos::scaled_root(holders, wanted, x) + 1 > available) ++x;
  return x;
}

/// The passes of the control algorithm: the sizes of all S_j, and what is taken, served and left.
Figures control_passes(const Section& parameters) {
  const ControlInput input = control_input_of(parameters, parameters.count("r"));
  const std::size_t available = input.sets.rows();
  const std::size_t holders = most_holders(input.sets);
  const Selection selection = selected_by("S1", input);
  std::vector<std::vector<std::size_t>> sizes;
  std::vector<std::string> rests;
  std::size_t operations = 0;
  std::size_t faults = 0;
  BitSet rest = input.wanted;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    sizes.emplace_back();
    for (std::size_t j = 0; j < available; ++j) {
      BitSet left = input.sets.set_of(j);
      left &= rest;
      sizes.back().push_back(left.count());
    }
    const auto least = std::min_element(sizes.back().begin(), sizes.back().end());
    const BitSet served = selection.served_set(leg);
    const std::size_t middle = index(selection.middle(leg));
    if (least != sizes.back().begin() + static_cast<std::ptrdiff_t>(middle)) ++faults;
    if (!rest.contains(served) || served.intersects(input.sets.set_of(middle))) ++faults;
    operations += available * rest.count();
    rest -= served;
    rests.push_back(text_of_set(rest));
  }
  Figures figures;
  figures.values = {{"passes", selection.passes()},
                    {"S", sizes},
                    {"take", middles_of_route(selection)},
                    {"serves", served_by_route(selection)},
                    {"rest", rests},
                    {"blocked", selection.blocked()},
                    {"unservable", unservable(input).count()},
                    {"left", selection.blocked() ? 0 : rest.count()},
                    {"available", available},
                    {"wanted", input.wanted.count()},
                    {"n_prime", holders},
                    {"x", passes_by_theorem(available, holders, input.wanted.count())},
                    {"operations", operations},
                    {"faults", faults}};
  if (holders > 0) {
    figures.values["q"] = static_cast<double>(available) / static_cast<double>(holders);
  }
  return figures;
}

/// The middle switches that are available to the last port of an input switch whose other ports
/// use x each.
std::size_t available_at_worst(const clos::Structure& network, std::size_t x) {
  clos::NetworkState state(network);
  for (std::uint32_t p = 0; p + 1 < network.n1; ++p) {
    clos::Route route(network.r2);
    std::vector<clos::OutputId> outputs;
    for (std::uint32_t l = 0; l < x; ++l) {
      route.add(clos::MiddleId(p * static_cast<std::uint32_t>(x) + l), l);
      outputs.push_back(clos::OutputId(l * network.n2 + p));
    }
    state.connect(clos::InputId(p), outputs, route);
  }
  return state.available(0).count();
}

/// The middle switches available to requests, in the worst state and in random ones.
Figures control_available(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const std::size_t x = parameters.count("x") == 0 ? clos::theorem3(n, r).x : parameters.count("x");
  const std::size_t needed = clos::scaled_root(n - 1, r, x) + 1;
  const std::size_t least_m = (n - 1) * x + needed;
  const std::size_t m = parameters.count("m") == 0 ? least_m : parameters.count("m");
  if (x > r) parameters.fail("x", "is above r", "take an x up to r");
  if (m < least_m) {
    parameters.fail("m", "is below Theorem 3", fmt::format("take at least {}", least_m));
  }
  clos::ConnectionAdmission control(network_of(m, n, r),
                                    clos::strategies()[0].make({network_of(m, n, r), x}), {x});
  clos::RequestGenerator generator(network_of(m, n, r), {parameters.count("seed"), 0, 95});
  std::size_t smallest = m;
  std::size_t passes = 0;
  std::size_t blocked = 0;
  for (std::size_t event = 0; event < 2000; ++event) {
    const clos::Proposal proposal = generator.next(control.state());
    if (!proposal.connects) {
      control.disconnect(proposal.input);
      continue;
    }
    const std::size_t from = index(proposal.input) / n;
    smallest =
        std::min(smallest, control.state().available(static_cast<std::uint32_t>(from)).count());
    const Selection& selection = control.connect(proposal.input, proposal.outputs);
    passes = std::max(passes, selection.passes());
    blocked += selection.blocked() ? 1 : 0;
  }
  return {{{"available", available_at_worst(network_of(m, n, r), x)},
           {"needed", needed},
           {"m", m},
           {"x", x},
           {"smallest_seen", smallest},
           {"passes", passes},
           {"blocked", blocked}}};
}

// Controllers.

/// A request as a controller has served it, and the clocks that it took.
struct ServedRequest {
  Selection selection;
  std::uint64_t clocks = 1;
};

ServedRequest served_by(const clos::ControllerEntry& design, const ControlInput& input) {
  const std::size_t m = input.sets.rows();
  BitMatrix links(1, m);
  links.assign(0, input.available);
  clos::ControlUnit unit(design.make, {m, input.sets.columns()}, {input.sets, links});
  ServedRequest served{Selection(input.sets.columns())};
  std::size_t passes = 0;
  const clos::ControlUnit::Request request{0, input.wanted};
  while (!unit.ready()) unit.edge(nullptr);
  for (unit.edge(&request); !unit.done() && !unit.blocked(); unit.edge(nullptr)) {
    ++served.clocks;
    if (!unit.leg_valid()) continue;
    ++passes;
    served.selection.add(unit.leg().middle, unit.leg().served.words());
  }
  if (unit.blocked()) served.selection.block();
  served.selection.set_passes(passes + (unit.blocked() ? 1 : 0));
  return served;
}

/// Compares all designs with the control algorithm.
class ControllerComparison {
 public:
  void compare(const ControlInput& input) {
    ++inputs_;
    const Selection expected = selected_by("S1", input);
    if (expected.blocked() != unservable(input).any()) ++differences_;
    passes_ = std::max(passes_, expected.passes());
    for (const clos::ControllerEntry& design : clos::controllers()) {
      const ServedRequest got = served_by(design, input);
      const bool same = got.selection.blocked() == expected.blocked() &&
                        static_cast<const clos::Route&>(got.selection) == expected;
      if (!same) ++differences_;
      const std::uint64_t c = design.make.pass_clocks(input.sets.rows(), input.sets.columns());
      const std::uint64_t clocks = 1 + expected.passes() * c + (expected.blocked() ? 0 : 1);
      if (got.clocks != clocks) ++clock_differences_;
    }
  }

  Figures figures() const {
    return {{{"inputs", inputs_},
             {"differences", differences_},
             {"clock_differences", clock_differences_},
             {"passes", passes_},
             {"designs", clos::controllers().size()}}};
  }

 private:
  std::size_t inputs_ = 0;
  std::size_t differences_ = 0;
  std::size_t clock_differences_ = 0;
  std::size_t passes_ = 0;
};

BitSet set_of_bits(std::size_t bits, std::size_t size) {
  BitSet set(size);
  for (std::size_t member = 0; member < size; ++member) {
    if ((bits >> member & 1) != 0) set.set(member);
  }
  return set;
}

/// All inputs of controllers for up to nine pairs of switches, random ones beyond.
Figures controllers_agree(const Section& parameters) {
  const std::size_t m = parameters.count("m");
  const std::size_t r = parameters.count("r");
  ControllerComparison comparison;
  if (m * r > 9) {
    Random random(parameters.count("seed"));
    for (std::size_t i = 0; i < parameters.count("random"); ++i) {
      comparison.compare(drawn_input(m, r, random));
    }
    return comparison.figures();
  }
  for (std::size_t sets = 0; sets < std::size_t{1} << m * r; ++sets) {
    ControlInput input{BitSet(r), BitSet(m), {m, r}};
    for (std::size_t j = 0; j < m; ++j) input.sets.assign(j, set_of_bits(sets >> j * r, r));
    for (std::size_t wanted = 1; wanted < std::size_t{1} << r; ++wanted) {
      input.wanted = set_of_bits(wanted, r);
      for (std::size_t available = 0; available < std::size_t{1} << m; ++available) {
        input.available = set_of_bits(available, m);
        comparison.compare(input);
      }
    }
  }
  return comparison.figures();
}

/// The full adders of flitcast_clos_popcount.sv, which joins two counts with a carry.
std::size_t adders_of_count(std::size_t bits) {
  if (bits <= 1) return 0;
  std::size_t width = 1;  // Bits of the lower count.
  while ((std::size_t{2} << width) - 1 < bits) ++width;
  const std::size_t low = (std::size_t{1} << width) - 1;
  return adders_of_count(low) + adders_of_count(bits - 1 - low) + width;
}

/// A request that takes this many passes: middle switch j serves every P-th output switch only, and
/// the others are not available.
ControlInput input_of_passes(std::size_t m, std::size_t r, std::size_t passes) {
  ControlInput input{BitSet::full(r), BitSet(m), {m, r}};
  for (std::size_t j = 0; j < m; ++j) {
    BitSet busy = BitSet::full(r);
    for (std::size_t k = j; j < passes && k < r; k += passes) busy.reset(k);
    if (j < passes) input.available.set(j);
    input.sets.assign(j, busy);
  }
  return input;
}

Figures controller_clocks(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const clos::Bound bound = clos::theorem3(n, r);
  const std::size_t m = parameters.count("m") == 0 ? bound.m : parameters.count("m");
  const std::size_t passes = parameters.count("P") == 0 ? bound.x : parameters.count("P");
  if (m < bound.m) {
    parameters.fail("m", "is below Theorem 3", fmt::format("take at least {}", bound.m));
  }
  if (passes > std::min(m, r)) {
    parameters.fail("P", "no request takes as many passes", "take at most the smaller of m and r");
  }
  const std::string name = parameters.text("design");
  const ServedRequest served =
      served_by(*clos::controllers().find(name), input_of_passes(m, r, passes));
  std::size_t bits = 0;
  while (r >> bits != 0) ++bits;
  const bool parallel = name == "par_counter" || name == "par_adder";
  const std::size_t counts = parallel ? m : 1;
  const bool adds = name == "seq_adder" || name == "par_adder";
  return {{{"clocks", served.clocks},
           {"passes", served.selection.passes()},
           {"P", passes},
           {"m", m},
           {"bound_m", bound.m},
           {"x", bound.x},
           {"counter_bits", adds ? 0 : counts * bits},
           {"full_adders", adds ? counts * adders_of_count(r) : 0},
           {"storage_bits", m * r}}};
}

/// The best x of Theorem 3 for so many ports that rounding does not matter.
Figures passes_growth(const Section& parameters) {
  const std::size_t r = parameters.count("r");
  const clos::Bound bound = clos::theorem3(1001, r);
  const auto logarithm = std::log(static_cast<double>(r));
  return {{{"x", bound.x}, {"growth", logarithm / std::log(logarithm)}}};
}

}  // namespace

std::vector<Machine> control_machines() {
  const Param many_n = Param::integer("n", "", "Ports of an input switch.", 2, 4096);
  const Param r = Param::integer("r", "", "Output switches.", 1, 1e9);
  const Param m = Param::integer("m", "", "Middle switches; 0: those of Theorem 3.", 0, 4096);
  const Param seed = Param::integer("seed", "", "Seed of random states.", 1, 1e9).defaults_to(1);
  const Param sets = Param::texts("M", "Destination sets, such as {1,2,4}.");
  const Param wanted = Param::integers("I", "", "Output switches of the request.", 1, 4096);
  const Param size = Param::integer("r", "", "Output switches; 0: those that are named.", 0, 4096);
  const Param x = Param::integer("x", "", "Middle switches of a connection.", 0, 64);
  return {
      {"control_passes",
       "The passes of the control algorithm.",
       {Param(sets), Param(wanted), Param(size).defaults_to(0)},
       control_passes},
      {"control_available",
       "Middle switches that are available to requests.",
       {many_n, r, Param(m).defaults_to(0), Param(x).defaults_to(0), seed},
       control_available},
      {"controllers_agree",
       "All controllers beside the algorithm.",
       {Param::integer("m", "", "Middle switches.", 1, 256),
        Param::integer("r", "", "Output switches.", 1, 256),
        Param::integer("random", "", "Random inputs.", 1, 10000).defaults_to(1000), seed},
       controllers_agree},
      {"controller_clocks",
       "The clocks of a controller.",
       {Param::choice("design", "The controller.",
                      {"seq_counter", "seq_adder", "par_counter", "par_adder"}),
        many_n, Param::integer("r", "", "Output switches.", 3, 4096), Param(m).defaults_to(0),
        Param::integer("P", "", "Passes; 0: x of Theorem 3.", 0, 4096).defaults_to(0)},
       controller_clocks},
      {"passes_growth",
       "The limit of passes.",
       {Param::integer("r", "", "Output switches.", 3, 1e15)},
       passes_growth},
  };
}

}  // namespace flitcast::claims
