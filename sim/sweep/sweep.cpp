// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {
namespace {

constexpr const char* kSweepSection = "sweep";
constexpr const char* kSearch = "search";
constexpr const char* kSearchKind = "search.find";
constexpr const char* kSearchedKey = "search.key";
constexpr const char* kLowest = "search.from";
constexpr const char* kRepeat = "repeat";
constexpr const char* kSeed = "seed";

/// Removes the key with this full dotted name, if it is there.
void remove(YamlValue& map, const std::string& name) {
  const std::size_t dot = name.find('.');
  YamlEntry* const entry = map.find(name.substr(0, dot));
  if (entry == nullptr) return;
  if (dot != std::string::npos) return remove(entry->value, name.substr(dot + 1));
  map.entries.erase(map.entries.begin() + (entry - map.entries.data()));
}

/// The default of a key that is not dumped while it has it; null for other keys.
ordered_json silent_default(const Schema& schema, const std::string& key) {
  for (const Param* param : schema.variants(key)) {
    if (!param->default_dumped) return param->fallback;
  }
  return nullptr;
}

/// True for a number, and for a list of numbers whose default is a single one.
bool takes_a_number(const Param& param) {
  return param.type == Param::Type::kNumber ||
         (param.type == Param::Type::kNumbers && param.fallback.is_number());
}

/// The name of the key that a document searches, with its place in the document.
std::optional<YamlValue> searched_key(const Document& document, const Schema& schema) {
  const YamlEntry* kind = entry_at(document.root, kSearchKind);
  const std::vector<const Param*> keys = schema.variants(kSearchedKey);
  if (kind == nullptr || keys.empty()) return std::nullopt;
  if (kind->value.text == schema.variants(kSearchKind).front()->fallback) return std::nullopt;
  const YamlEntry* key = entry_at(document.root, kSearchedKey);
  if (key != nullptr) return key->value;
  return scalar(keys.front()->fallback.get<std::string>(), kind->value.place);
}

/// The value of a key of the top level, or its default; null if validate() finds a problem.
ordered_json top_value(const Document& document, const Schema& schema, const char* key) {
  const std::vector<const Param*> variants = schema.variants(key);
  if (variants.empty()) return nullptr;
  const YamlEntry* entry = document.root.find(key);
  Reading reported_later;
  if (entry == nullptr) return variants.front()->fallback;
  return read_value(entry->value, *variants.front(), key, reported_later);
}

}  // namespace

YamlValue scalar(std::string text, const Place& place) {
  YamlValue value;
  value.kind = YamlValue::Kind::kScalar;
  value.place = place;
  value.text = std::move(text);
  return value;
}

const YamlEntry* entry_at(const YamlValue& map, const std::string& name) {
  const std::size_t dot = name.find('.');
  const YamlEntry* entry = map.find(name.substr(0, dot));
  if (entry == nullptr || dot == std::string::npos) return entry;
  return entry_at(entry->value, name.substr(dot + 1));
}

Sweep::Sweep(const std::string& path, const std::vector<std::string>& overrides,
             const Schema& schema)
    : Sweep(read_document(path, overrides), schema) {
  overridden_ = !overrides.empty();
}

Sweep::Sweep(Document document, const Schema& schema)
    : schema_(schema), base_(std::move(document)), place_{base_.file} {
  if (base_.root.find("digest") != nullptr) {
    throw ConfigError(Problem{place_, "", "is the result of a run, not an experiment",
                              "a file with only what stands under its `config` repeats the run"});
  }
  const std::size_t before = base_.problems.size();
  if (const YamlEntry* found = base_.root.find(kSweepSection)) {
    const YamlEntry sweep = *found;
    base_.root.entries.erase(base_.root.entries.begin() + (found - base_.root.entries.data()));
    swept_ = true;
    place_ = sweep.place;
    axes_ = read_axes(sweep, base_, schema_);
  }
  read_repetitions();
  count_points();
  if (swept_ ? !base_.problems.empty() : base_.problems.size() > before) {
    check();  // Throws the problems together with those of the points.
  }
}

void Sweep::read_repetitions() {
  const ordered_json count = top_value(base_, schema_, kRepeat);
  const ordered_json seed = top_value(base_, schema_, kSeed);
  if (count.is_null() || seed.is_null() || count == 1) return;
  const Place place = base_.root.find(kRepeat)->place;
  const std::vector<std::string> swept = keys();
  if (contains(swept, kSeed)) {
    base_.problems.push_back({place, kRepeat,
                              "gives every point seeds of its own, and seed is swept",
                              "leave one of the two out"});
    return;
  }
  repetitions_ = count.get<std::size_t>();
  Axis seeds{{kSeed}, {}};
  for (std::size_t run = 0; run < repetitions_; ++run) {
    seeds.rows.push_back({{scalar(std::to_string(seed.get<std::size_t>() + run), place)}});
  }
  axes_.push_back(std::move(seeds));
}

bool Sweep::explores() const {
  return swept_ || repetitions_ > 1 || searched_key(base_, schema_).has_value();
}

void Sweep::count_points() {
  for (const Axis& axis : axes_) {
    size_ *= axis.rows.size();
    if (size_ <= kMostPoints) continue;
    base_.problems.push_back({place_, kSweepSection,
                              "more than " + std::to_string(kMostPoints) + " points",
                              "sweep fewer keys or values"});
    size_ = 1;
    return;
  }
}

std::vector<std::string> Sweep::keys() const { return concatenated(axes_, &Axis::keys); }

Configuration Sweep::variation(
    std::size_t index, const std::vector<std::pair<std::string, std::string>>& values) const {
  Document varied = document(index);
  for (const auto& [key, value] : values) {
    if (value.empty()) {
      remove(varied.root, key);
    } else {
      assign(varied.root, key, scalar(value, place_));
    }
  }
  return validate(std::move(varied), schema_);
}

Configuration Sweep::trial(std::size_t index, const TrialPlan& plan) const {
  return variation(index,
                   {{"measure.warmup", std::to_string(plan.warmup)},
                    {"measure.window", std::to_string(plan.window)},
                    {"measure.precision", "0"},
                    {kSeed, std::to_string(plan.seed)},
                    {searched_key(document(index), schema_)->text, fmt::format("{}", plan.value)},
                    {kSearch, ""}});
}

std::vector<std::pair<std::string, const SweptValue*>> Sweep::swept_at(std::size_t index) const {
  std::vector<std::pair<std::string, const SweptValue*>> values;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const std::vector<SweptValue>& row = axis->rows[index % axis->rows.size()];
    index /= axis->rows.size();
    for (std::size_t k = row.size(); k-- > 0;) values.emplace_back(axis->keys[k], &row[k]);
  }
  std::reverse(values.begin(), values.end());
  return values;
}

ordered_json Sweep::values(std::size_t index, const Configuration& point) const {
  ordered_json values = ordered_json::object();
  for (const auto& [key, swept] : swept_at(index)) {
    const std::string& label = swept->label;
    ordered_json value = label.empty() ? figure_at(point.effective(), key) : ordered_json(label);
    values[key] = value.is_null() ? silent_default(schema_, key) : std::move(value);
  }
  return values;
}

void Sweep::check(const Visit& visit) const {
  std::vector<Problem> problems;
  std::set<std::string> told;
  std::map<std::string, std::size_t> first;
  std::size_t index = 0;
  for (std::size_t faulty = 0; index < size_ && faulty < kMostFaulty; ++index) {
    if (problems.size() >= kMostProblems) break;
    try {
      const Configuration configuration = point(index);
      const auto [same, added] = first.emplace(configuration.id(), index);
      if (!added && told.insert("same points").second) {
        problems.push_back({place_, kSweepSection,
                            "points " + std::to_string(same->second) + " and " +
                                std::to_string(index) + " are the same",
                            "remove the value that comes twice"});
      }
      if (added && visit) visit(index, configuration);
    } catch (const ConfigError& error) {
      ++faulty;
      for (const Problem& problem : error.problems()) {
        if (told.insert(problem.text()).second) problems.push_back(problem);
      }
    }
  }
  if (problems.empty()) return;
  if (index < size_) {
    problems.push_back({place_, kSweepSection,
                        fmt::format("the check has ended after {} of {} points", index, size_),
                        "correct these problems first"});
  }
  throw ConfigError(std::move(problems));
}

Document Sweep::document(std::size_t index) const {
  if (index >= size_) {
    fail({"--point " + std::to_string(index)}, "there is no such point",
         "the points are 0 to " + std::to_string(size_ - 1));
  }
  Document document = base_;
  const auto values = swept_at(index);
  for (const bool whole_sections : {true, false}) {
    for (const auto& [key, swept] : values) {
      if (swept->label.empty() != whole_sections) assign(document.root, key, swept->value);
    }
  }
  start_search(document);
  return document;
}

void Sweep::start_search(Document& document) const {
  const std::optional<YamlValue> key = searched_key(document, schema_);
  if (!key) return;
  const std::vector<const Param*> variants = schema_.variants(key->text);
  if (variants.empty() || !takes_a_number(*variants.front())) {
    const std::string meant = closest_name(schema_, key->text);
    document.problems.push_back(
        {key->place, kSearchedKey, quoted(key->text) + " is no key of an experiment with numbers",
         variants.empty() && !meant.empty() ? "did you mean " + meant + "?"
                                            : "search workload.load, for example"});
    return;
  }
  const std::vector<std::string> swept = keys();
  if (contains(swept, key->text)) {
    document.problems.push_back({key->place, kSearchedKey, key->text + " is swept and searched",
                                 "leave one of the two out"});
  }
  const YamlEntry* given = entry_at(document.root, key->text);
  if (given != nullptr && given->value.kind == YamlValue::Kind::kList) {
    document.problems.push_back({given->value.place, key->text, "is a list, but is searched",
                                 "leave it out: a search tries one value for all"});
  }
  const YamlEntry* from = entry_at(document.root, kLowest);
  const double fallback = schema_.variants(kLowest).front()->fallback.get<double>();
  assign(document.root, key->text,
         from == nullptr ? scalar(fmt::format("{}", fallback), key->place) : from->value);
}

Configuration point_of(const Sweep& sweep, std::optional<std::size_t> point) {
  if (!point && sweep.size() > 1) {
    throw ConfigError(Problem{{sweep.file(), 0, 0},
                              kSweepSection,
                              "there are " + std::to_string(sweep.size()) + " points",
                              "choose one with --point K, K from 0"});
  }
  return sweep.point(point.value_or(0));
}

}  // namespace flitcast
