// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/experiment/model.h"
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

// Loads beyond the capacity need no run, so the experiment need not be valid there.
void require_sound_ends(const Sweep& sweep, std::size_t index, const Configuration& point,
                        const ExperimentOptions& options) {
  require_sound_search(point);
  if (!is_search(point)) return;
  const Section& search = section_of(point);
  const MemoryLimit limit = memory_limit(options.memory_limit);
  const std::optional<Capacity> capacity = make_model(point, options.unsafe, limit).capacity;
  const bool bounded = capacity && capacity->known() && search.text("key") == "workload.load";
  const double to = search.number("to");
  const double highest = bounded ? std::min(to, capacity->bound) : to;
  try {
    const std::size_t window = point.section("measure").count("window");
    make_model(sweep.trial(index, {highest, window, point.seed()}), options.unsafe, limit);
  } catch (const ConfigError& error) {
    const Problem& first = error.problems().front();
    search.fail("to", first.key + ": " + first.what, first.hint);
  }
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
