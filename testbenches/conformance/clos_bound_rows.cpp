// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_bound_rows.h"

#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

using Results = std::vector<Computed>;

Results results_of(const clos::Bound& bound) {
  return {{"m", std::to_string(bound.m)}, {"x", std::to_string(bound.x)}};
}

Results refined(const ClosParams& params) {
  const std::uint64_t n = params.size("n");
  const std::uint64_t r = params.size("r");
  Results results = results_of(clos::refined(n, r));
  results.emplace_back("snb", std::to_string(clos::strict_sense(n, r)));
  results.emplace_back("n2", std::to_string(n * n));
  return results;
}

Results multirate(const ClosParams& params) {
  const std::uint64_t n = params.count("n");
  const clos::Rate least = clos::parse_rate(params.text("b"));
  Results results = results_of(clos::multirate(n, params.count("r"), least));
  results.emplace_back("unicast", std::to_string(clos::multirate_unicast(n, least)));
  return results;
}

std::vector<std::string> words_of(const std::string& kind) {
  if (kind == "m_cor1") return {"n=", "d="};
  if (kind == "m_asym") return {"n1=", "n2=", "r2="};
  if (kind == "m_multirate") return {"n=", "r=", "b="};
  if (kind == "m_multirate_asym") return {"n1=", "n2=", "r2=", "b="};
  return {"n=", "r="};
}

Results compute(const std::string& kind, const ClosParams& params) {
  if (kind == "m_thm3") return results_of(clos::theorem3(params.count("n"), params.count("r")));
  if (kind == "m_cor1") return results_of(clos::corollary1(params.count("n"), params.count("d")));
  if (kind == "m_asym") {
    return results_of(clos::asymmetric(params.count("n1"), params.count("n2"), params.count("r2")));
  }
  if (kind == "m_refined") return refined(params);
  if (kind == "m_multirate") return multirate(params);
  if (kind == "m_multirate_asym") {
    return results_of(clos::multirate(params.count("n1"), params.count("n2"), params.count("r2"),
                                      clos::parse_rate(params.text("b"))));
  }
  throw std::invalid_argument("no bound is called \"" + kind + "\"");
}

}  // namespace

Verdict clos_bound_row(const Row& row, Level) {
  return compare(row["expected"], compute(row["kind"], {row["params"], words_of(row["kind"])}));
}

}  // namespace flitcast::conformance
