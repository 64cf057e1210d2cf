// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "base/text_hash.h"
#include "config/text_file.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;
using Kind = YamlValue::Kind;

constexpr const char* kName = "name";
constexpr const char* kClock = "clock";
constexpr const char* kFlitWidth = "flit_width";

/// The entry of the key in `map`, added if it is missing; a value that is not a map becomes one.
YamlEntry& child(YamlValue& map, const std::string& key, const Place& place) {
  if (map.kind != Kind::kMap) {
    map = YamlValue{};
    map.kind = Kind::kMap;
    map.place = place;
  }
  if (YamlEntry* entry = map.find(key)) return *entry;
  map.entries.push_back({key, place, {}});
  return map.entries.back();
}

/// "classes[2]": item 2 of the list `classes`.
struct Step {
  std::string key;
  std::optional<std::size_t> item;
};

Step step_of(const std::string& text) {
  const std::size_t open = text.find('[');
  if (open == std::string::npos || text.back() != ']') return {text, std::nullopt};
  const auto item = number_in<std::size_t>(text.substr(open + 1, text.size() - open - 2));
  return item ? Step{text.substr(0, open), item} : Step{text, std::nullopt};
}

YamlValue& item_of(YamlValue& list, std::size_t item, const std::string& name, const Place& place) {
  if (list.kind == Kind::kList && item < list.items.size()) return list.items[item];
  throw ConfigError(Problem{place, printable(name),
                            fmt::format("there is no item {} in the list", item),
                            list.kind == Kind::kList && !list.items.empty()
                                ? fmt::format("name one from 0 to {}", list.items.size() - 1)
                                : "write the list in the file"});
}

/// Stores the value below `map`.
/// @param rest  The steps of the name from `map` on.
void assign(YamlValue& map, const std::string& rest, const std::string& name,
            const YamlValue& value) {
  const std::size_t dot = rest.find('.');
  const Step step = step_of(rest.substr(0, dot));
  if (rest.find("[0") < rest.find("[0]")) {
    fail(value.place, "an item has a number that begins with 0", "write it without this 0");
  }
  YamlEntry& entry = child(map, step.key, value.place);
  YamlValue& at = step.item ? item_of(entry.value, *step.item, name, value.place) : entry.value;
  if (dot != std::string::npos) return assign(at, rest.substr(dot + 1), name, value);
  entry.place = value.place;
  at = value;
}

/// Returns null if a result file can have this name, with a suffix and 255 bytes in all; else the
/// hint.
const char* hint_for_name(const std::string& name) {
  if (name.find('/') != std::string::npos) return "leave out the slash";
  if (name.find_first_not_of('.') == std::string::npos) return "write a word, not only dots";
  return name.size() > 200 ? "write at most 200 bytes" : nullptr;
}

std::string stem(const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  const bool plain = is_utf8(name) && visible(name) == name && hint_for_name(name) == nullptr;
  return plain ? name : "unnamed";
}

// Calls add(path, key) for every file that a key names.
template <class Add>
void for_each_file(const std::vector<Param>& params, const Section& section, const Add& add) {
  for (const Param& param : params) {
    if (!section.has(param.key)) continue;
    if (param.is_file) add(section.path(param.key), param);
    if (param.members.empty()) continue;
    for (const Section& item : section.sections(param.key)) {
      for_each_file(param.members, item, add);
    }
  }
}

/// The top level without its sections; entries that are neither key nor section are problems.
YamlValue top_level(const Document& document, const Schema& schema) {
  YamlValue top;
  top.kind = Kind::kMap;
  for (const YamlEntry& entry : document.root.entries) {
    if (entry.key.empty() || !schema.find(entry.key)) top.entries.push_back(entry);
  }
  return top;
}

/// The scale of the top level; absent if one of its keys is written and faulty.
std::optional<Scale> scale_of(const Section& top, const YamlValue& written) {
  for (const char* key : {kClock, kFlitWidth}) {
    if (written.find(key) != nullptr && !top.has(key)) return std::nullopt;
  }
  Scale scale;
  if (top.has(kClock)) scale.clock_ghz = top.number(kClock);
  if (top.has(kFlitWidth)) scale.flit_bits = static_cast<double>(top.integer(kFlitWidth));
  return scale;
}

}  // namespace

std::vector<Param> scale_keys() {
  return {Param::number(kClock, "GHz",
                        "Clock of the network; with it times may have units, and results have "
                        "times in ns.",
                        1e-3, 1e3)
              .or_absent(),
          Param::integer(kFlitWidth, "bits",
                         "Data in a flit; with it sizes may have units, and with a clock rates "
                         "such as GB/s.",
                         1, 1 << 23)
              .or_absent()};
}

void assign(YamlValue& root, const std::string& name, const YamlValue& value) {
  assign(root, name, name, value);
}

const YamlEntry* YamlValue::find(const std::string& key) const {
  return first_where(entries, [&](const YamlEntry& entry) { return entry.key == key; });
}

YamlEntry* YamlValue::find(const std::string& key) {
  return const_cast<YamlEntry*>(std::as_const(*this).find(key));
}

const Section& Configuration::section(const std::string& name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw std::logic_error("no section " + name + " in the table");
  return found->second;
}

std::string Configuration::id() const {
  ordered_json hashed = effective_;
  hashed.erase(kName);
  return hash_text(hashed.dump() + input_hashes_);
}

Configuration validate(Document document, const Schema& schema) {
  Reading reading;
  std::vector<Problem>& problems = reading.problems;
  problems = document.problems;
  Configuration configuration;
  configuration.input_files_.push_back(document.file);
  const Place start{document.file, 0, 0};

  const YamlValue written = top_level(document, schema);
  Section top = check_section(schema, schema.top(), &written, start, reading);
  reading.scale = scale_of(top, written);
  if (top.has(kName) && top.text(kName).empty()) top.set(kName, stem(document.file));
  if (const char* const hint = top.has(kName) ? hint_for_name(top.text(kName)) : nullptr) {
    const std::string what = quoted(top.text(kName)) + " is no name for a file";
    problems.push_back(top.problem(kName, what, hint));
  }
  configuration.effective_ = top.effective();
  configuration.sections_.emplace("", std::move(top));

  for (const SectionTable& table : schema.sections()) {
    const YamlEntry* entry = document.root.find(table.name);
    const Place place = entry ? entry->place : start;
    Section section = check_section(schema, table, entry ? &entry->value : nullptr, place, reading);
    const ordered_json effective = section.effective();
    if (!effective.empty()) configuration.effective_[table.name] = effective;
    for_each_file(table.params, section, [&](const std::string& path, const Param& key) {
      configuration.input_files_.push_back(path);
      configuration.input_hashes_ += "\n" + content_hash(path, key.parts);
    });
    configuration.sections_.emplace(table.name, std::move(section));
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  configuration.scale_ = *reading.scale;
  for (const Problem& note : reading.notes) {
    configuration.notes_.push_back(note.key + ": " + note.what);
  }
  return configuration;
}

}  // namespace flitcast
