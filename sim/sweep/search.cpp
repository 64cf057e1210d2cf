// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/search.h"

#include <fmt/format.h>

#include <utility>

#include "sim/sweep/optimise.h"

namespace flitcast {

CatalogEntry<SearchMaker> saturation_search();

namespace {

using nlohmann::ordered_json;

const Section& section_of(const Configuration& point) { return point.section("search"); }

}  // namespace

const Catalog<CatalogEntry<SearchMaker>>& searches() {
  static const Catalog<CatalogEntry<SearchMaker>> catalog{
      {"none", "No search: a single run.", {}, nullptr}, saturation_search()};
  return catalog;
}

std::vector<Param> search_keys() {
  Param find =
      Param::choice("find", "Value that several runs search for.").defaults_to(searches()[0].name);
  find.default_dumped = false;
  return catalog_params(std::move(find), searches());
}

bool is_search(const Configuration& point) {
  return section_of(point).text("find") != searches()[0].name;
}

void require_sound_search(const Configuration& point) {
  ProblemList problems;
  const Section& search = section_of(point);
  if (is_search(point) && search.number("to") <= search.number("from")) {
    problems.add(
        search.problem("to", "the search ends before it begins",
                       fmt::format("make it more than search.from, {:g}", search.number("from"))));
  }
  if (has_goals(point)) problems.attempt([&] { goals_of(point); });
  problems.throw_if_any();
}

ordered_json search_result(const Configuration& point, const Trial& trial) {
  const Section& search = section_of(point);
  const Finding finding = searches().find(search.text("find"))->make(point, trial);
  ordered_json result;
  kIdentityFigures.write(point, result);
  result["status"] = to_text(finding.found() ? Status::kOk : Status::kUnmeasured);
  if (!finding.found()) result["reason"] = finding.reason;
  if (!finding.notes.empty()) result["notes"] = finding.notes;
  result["complete"] = true;
  kFindingFigures.write(finding, result);
  add_digest(result);
  return result;
}

}  // namespace flitcast
