// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/controllers/controller.h"
#include "sim/clos/command.h"

namespace flitcast {
namespace {

struct BoundOptions : PrintOptions {
  ClosSizes sizes;
  std::uint64_t fan_out = 0;  ///< Most output switches of a connection; 0: all.
  std::string rate;           ///< Least rate of a connection, "1/2"; empty: single rate.
};

// Limits on the switches of a stage and the ports of a switch, and on the ports of a network: only
// the numbers of crosspoints in the table can exceed 64 bits. The table of the lecture ends at
// r = 10077696.
constexpr std::uint64_t kMostSize = 1U << 28;
constexpr std::uint64_t kMostPortsBounded = 0xffffffffU;

/// Adds a line with a bound of a network to a table.
void add_bound(ordered_json& table, const clos::Structure& structure, const char* name,
               const clos::Bound& bound, const char* what) {
  ordered_json line{{"name", name}, {"m", bound.m}};
  if (bound.x != 0) line["x"] = bound.x;
  // The structure has one middle switch, so its crosspoints are those per middle switch.
  const std::uint64_t crosspoints = clos::saturating_multiply(bound.m, structure.crosspoints());
  if (crosspoints != clos::kTooLarge) line["crosspoints"] = crosspoints;
  for (const auto& controller : clos::controllers()) {
    if (bound.x == 0) break;
    line["worst_clocks"][controller.name] =
        clos::clocks_done(bound.x, controller.make.pass_clocks(bound.m, structure.r2));
  }
  line["what"] = what;
  table.push_back(line);
}

ordered_json bounds_json(const clos::Structure& s, const BoundOptions& options) {
  ordered_json table = ordered_json::array();
  const auto add = [&](const char* name, const clos::Bound& bound, const char* what) {
    add_bound(table, s, name, bound, what);
  };
  add("thm3", clos::asymmetric(s.n1, s.n2, s.r2),
      "Theorem 3: wide sense, S1 with at most x passes");
  add("refined", clos::refined(s.n1, s.n2, s.r2), "the same by a finer count");
  if (s.is_symmetric()) {
    add("strict", {clos::strict_sense(s.n1, s.r1), 0}, "strict sense: whatever routes were used");
  }
  if (options.fan_out != 0) {
    add("cor1", clos::asymmetric(s.n1, s.n2, options.fan_out),
        "Corollary 1: connections to at most --fan-out output switches");
  }
  if (s.is_symmetric()) {
    add("clos", clos::corollary1(s.n1, 1), "Corollary 2 (Clos): connections to one output switch");
  }
  if (s.is_symmetric() && s.r1 >= 3) {
    add("thm4", {clos::theorem4(s.n1, s.r1), 0}, "Theorem 4: closed form, above Theorem 3");
  }
  if (!options.rate.empty()) {
    const clos::Rate rate = clos::parse_rate(options.rate);
    add("multirate", clos::multirate(s.n1, s.n2, s.r2, rate),
        "Theorem 10 with Lemma 3: connections of --rate and more share links");
    if (options.fan_out != 0) {
      add("multirate_cor1",
          clos::multirate(s.n1, s.n2, std::min<std::uint64_t>(options.fan_out, s.r2), rate),
          "the same for those to at most --fan-out output switches");
    }
    if (s.is_symmetric()) {
      add("multirate_unicast", {clos::multirate_unicast(s.n1, rate), 0},
          "Corollary 4: those to one output switch");
    }
  }
  return table;
}

// Writes long numbers as text, which JSON readers preserve.
ordered_json assignments_json(const clos::Structure& s) {
  constexpr std::uint64_t kMostPortsCounted = 4096;
  if (s.inputs() > kMostPortsCounted || s.outputs() > kMostPortsCounted) return nullptr;
  ordered_json json{{"multicast", clos::multicast_assignments(s.inputs(), s.outputs()).get_str()}};
  if (s.inputs() == s.outputs()) {
    json["permutation"] = clos::permutation_assignments(s.inputs()).get_str();
  }
  return json;
}

std::string shortened(const std::string& digits) {
  constexpr std::size_t kShown = 30;
  if (digits.size() <= kShown) return digits;
  return fmt::format("{}.{}e{}", digits.substr(0, 1), digits.substr(1, 3), digits.size() - 1);
}

void print_bounds(const clos::Structure& s, const ordered_json& result) {
  if (s.is_symmetric()) {
    std::cout << fmt::format("v(m, {}, {}): {} x {} ports\n", s.n1, s.r1, s.inputs(), s.outputs());
  } else {
    std::cout << fmt::format("v(m, {}, {}, {}, {}): {} x {} ports\n", s.n1, s.r1, s.n2, s.r2,
                             s.inputs(), s.outputs());
  }
  constexpr const char* kLine = "  {:<18} {:>9} {:>5} {:>14}  {}\n";
  std::cout << fmt::format(kLine, "bound", "m", "x", "crosspoints", "");
  for (const ordered_json& line : result.at("bounds")) {
    std::cout << fmt::format(kLine, cell(line, "name"), cell(line, "m"), cell(line, "x"),
                             cell(line, "crosspoints"), cell(line, "what"));
  }
  std::cout << "worst-case clocks of a request at thm3:";
  for (const auto& [name, clocks] : result.at("bounds")[0].at("worst_clocks").items()) {
    std::cout << fmt::format(" {} {}", name, clocks.dump());
  }
  std::cout << '\n';
  if (!result.contains("assignments")) return;
  std::cout << "assignments with every output used:";
  for (const auto& [name, count] : result.at("assignments").items()) {
    std::cout << fmt::format(" {} {}", name, shortened(count.get<std::string>()));
  }
  std::cout << '\n';
}

int bound_command(const BoundOptions& options) {
  ClosSizes sizes = options.sizes;
  sizes.m = 1;
  const clos::Structure structure = sizes_of(sizes, kMostSize);
  const std::uint64_t ports = std::max(std::uint64_t{structure.n1} * structure.r1,
                                       std::uint64_t{structure.n2} * structure.r2);
  if (ports > kMostPortsBounded) {
    fail({}, fmt::format("the network has {} ports", ports),
         fmt::format("take sizes with at most {}", kMostPortsBounded));
  }
  require_fan_out("--fan-out", options.fan_out, structure);
  ordered_json result = sizes_json(structure);
  result["bounds"] = bounds_json(structure, options);
  const ordered_json assignments = assignments_json(structure);
  if (!assignments.is_null()) result["assignments"] = assignments;
  return print(options.json, result, [&] { print_bounds(structure, result); });
}

void add_bound_flags(CLI::App& command, BoundOptions& bound) {
  add_sizes(command, bound.sizes);
  add_number(command, "--fan-out", bound.fan_out, "Most output switches of a connection; 0: all");
  command.add_option("--rate", bound.rate, "Least rate of connections that share links: 1/2, 0.3");
}

}  // namespace

Command clos_bound() {
  return {"bound", "Numbers of middle switches that make a network nonblocking",
          declare<BoundOptions, add_bound_flags, bound_command>};
}

}  // namespace flitcast
