// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/sequences.h"
#include "clos/adversaries/lemma1.h"
#include "clos/bounds/bounds.h"
#include "clos/statement.h"
#include "sim/clos/command.h"

namespace flitcast {
namespace {

struct WorstOptions : PrintOptions {
  std::uint64_t n = 0;
  std::uint64_t x = 1;
  std::uint64_t m = 0;  ///< 0: n (x + 1) - 1, the largest m that must block.
  std::uint64_t seed = 1;
};

/// The number of middle switches of each request under a strategy; 0: blocked.
ordered_json played(const clos::Lemma1Family& family, const std::string& name) {
  const clos::Lemma1Outcome outcome =
      play_lemma1(family, clos::strategies().find(name)->make({lemma1_network(family)}));
  ordered_json json{{"strategy", name}};
  std::size_t blocked = 0;
  for (const clos::Event& event : outcome.trace) {
    const auto& request = std::get<clos::ConnectEvent>(event);
    const bool is_first = json["M"].size() < family.m();
    json[is_first ? "M" : "I"].push_back(request.route.size());
    if (request.blocked()) ++blocked;
  }
  json["blocked"] = blocked;
  if (blocked != 0) json["needs"] = family.m() + 1;
  return json;
}

int worst_command(const WorstOptions& options) {
  const auto n = static_cast<std::uint32_t>(options.n);
  const auto x = static_cast<std::uint32_t>(options.x);
  const std::uint32_t forced = n * (x + 1);
  const auto m = options.m == 0 ? forced - 1 : static_cast<std::uint32_t>(options.m);
  const clos::Lemma1Family family = clos::lemma1_family(n, x, m, {16, 1, options.seed});
  const std::uint32_t r = lemma1_network(family).r2;
  ordered_json result{{"network", to_text(lemma1_network(family))},
                      {"conditions", fault_of(family).value_or("hold")}};
  const auto add = [&](const char* name, const std::vector<BitSet>& sets) {
    for (std::size_t at = 0; at < sets.size(); ++at) {
      result["sets"][fmt::format("{}_{}", name, at + 1)] = clos::in_lecture(sets[at]);
    }
  };
  add("M", family.destination_sets);
  add("I", family.requests);
  for (const clos::Multicast& one : lemma1_requests(family)) {
    result["events"].push_back(fmt::format(
        "C {} {}", index(one.input), fmt::join(mapped(one.outputs, index<clos::OutputId>), ",")));
  }
  result["played"] = {played(family, "S1"), played(family, "S2"), played(family, "S3")};
  result["blocks_below"] = forced;  // The value holds for S1 and S2.
  result["sufficient"] = {{"thm3", clos::theorem3(n, r).m},
                          {"refined", clos::refined(n, r).m},
                          {"strict", clos::strict_sense(n, r)},
                          {"n_squared", options.n * options.n}};
  return print(options.json, result, [&] { print_lines(result); });
}

void add_worst_flags(CLI::App& command, WorstOptions& worst) {
  constexpr std::int64_t kMost = 4096;
  add_number(command, "--n", worst.n, "Ports of an input switch", 2, kMost)->required();
  add_number(command, "--x", worst.x, "Middle switches that cannot carry an I_i", 1, kMost);
  add_number(command, "--m", worst.m, "Middle switches; 0: n (x + 1) - 1", 0, kMost);
  add_number(command, "--seed", worst.seed, "Seed of the search for few output switches");
}

}  // namespace

Command clos_worst() {
  return {"worst", "The worst-case state of Lemma 1, and what it forces under strategies 1 to 3",
          declare<WorstOptions, add_worst_flags, worst_command>};
}

}  // namespace flitcast
