// SPDX-License-Identifier: Apache-2.0
// From YAML to the model: every key of an experiment has an effect, and no two keys have the same.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "folder.h"
#include "key_claims.h"
#include "key_groups.h"
#include "observed.h"
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::program;

namespace {

std::string settings_text(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += " " + text;
  return list;
}

Configuration configuration_in(const Folder& folder, const Experiment& experiment,
                               std::vector<std::string> given = {}) {
  for (std::string& assignment : given) assignment = folder.placed(assignment);
  return configuration_of(folder.placed(experiment.text()), given);
}

/// Returns the checksum of the experiment after comparing it with that of the network built without
/// the program.
std::string agreed_checksum(const Configuration& configuration, const Parts& parts) {
  const Observed seen = observe(configuration);
  const auto checksum = seen.result.at("checksum").get<std::string>();
  CHECK(seen.result.at("packets").at("delivered") > 0);
  CHECK(checksum == checksum_of(parts, seen.result.at("cycles").get<std::uint64_t>()));
  return checksum;
}

void check_group(const KeyGroup& group) {
  const Configuration base = configuration_of(group.experiment.text());
  std::map<std::string, std::string> seen{{agreed_checksum(base, group.parts), "nothing"}};
  for (const KeyRow& row : group.rows) {
    INFO("--set" << settings_text(row.given));
    Parts parts = group.parts;
    row.change(parts);
    const std::string checksum =
        agreed_checksum(configuration_of(group.experiment.text(), row.given), parts);
    const auto [same, alone] = seen.try_emplace(checksum, settings_text(row.given));
    INFO("has the effect of" << same->second);
    CHECK(alone);
  }
}

/// Returns the value of a key, which may be in nested maps; null if it is absent.
nlohmann::ordered_json value_of_key(const nlohmann::ordered_json& map, const std::string& key) {
  const std::size_t dot = key.find('.');
  const auto found = map.find(key.substr(0, dot));
  if (found == map.end() || dot == std::string::npos) {
    return found == map.end() ? nlohmann::ordered_json() : *found;
  }
  return value_of_key(*found, key.substr(dot + 1));
}

/// True if the key applies in this experiment under the conditions of this row of the table.
bool covers(const SectionTable& table, const Param& param, const Configuration& configuration) {
  const Section& section = configuration.section(table.name);
  const auto effective = section.effective();
  return std::all_of(
      param.when.all.begin(), param.when.all.end(), [&](const Param::Condition& condition) {
        if (!section.has(condition.key)) return false;
        // A default that the dump omits is still in force.
        const auto of_condition =
            std::find_if(table.params.begin(), table.params.end(),
                         [&](const Param& other) { return other.key == condition.key; });
        nlohmann::json value = value_of_key(effective, condition.key);
        if (value.is_null()) {
          const bool is_choice = of_condition->type == Param::Type::kChoice;
          value = is_choice ? nlohmann::json(section.text(condition.key)) : of_condition->fallback;
        }
        return std::count(condition.values.begin(), condition.values.end(), spelled(value)) > 0;
      });
}

/// Returns the experiments in which keys are changed, by the name of the key.
std::multimap<std::string, Configuration> changed_keys(const Folder& folder) {
  std::multimap<std::string, Configuration> changed;
  for (const KeyGroup& group : key_groups()) {
    for (const KeyRow& row : group.rows) {
      changed.emplace(row.key, configuration_of(group.experiment.text(), row.given));
    }
  }
  for (const KeyClaim& claim : key_claims()) {
    changed.emplace(claim.key, configuration_in(folder, claim.experiment, claim.given));
  }
  return changed;
}

}  // namespace

TEST_CASE("every key of an experiment, with all conditions under which it applies, has a row here",
          "[sim]") {
  const Folder folder;
  const auto changed = changed_keys(folder);
  std::vector<SectionTable> tables = experiment_schema().sections();
  tables.push_back(experiment_schema().top());
  for (const SectionTable& table : tables) {
    for (const Param& param : table.params) {
      const std::string name = full_name(table.name, param.key);
      const auto [first, last] = changed.equal_range(name);
      INFO(name << " as " << param.help);
      CHECK(std::any_of(first, last,
                        [&](const auto& row) { return covers(table, param, row.second); }));
    }
  }
}

TEST_CASE("every key that only sections of a list have has a row here", "[sim]") {
  std::vector<std::string> changed;
  for (const KeyClaim& claim : key_claims()) changed.push_back(claim.key);
  for (const KeyGroup& group : key_groups()) {
    for (const KeyRow& row : group.rows) changed.push_back(row.key);
  }
  for (const SectionTable& table : experiment_schema().sections()) {
    for (const Param& list : table.params) {
      for (const Param& member : list.members) {
        if (!table.variants(member.key).empty()) continue;  // It acts as in the section.
        const std::string of_list = full_name(table.name, list.key);
        INFO(of_list << " " << member.key);
        CHECK(any_of(changed, [&](const std::string& key) {
          return key.rfind(of_list, 0) == 0 && key.substr(key.rfind('.') + 1) == member.key;
        }));
      }
    }
  }
}

TEST_CASE("a row of this table changes the key that it names last", "[sim]") {
  for (const KeyGroup& group : key_groups()) {
    for (const KeyRow& row : group.rows) CHECK(row.given.back().rfind(row.key + "=", 0) == 0);
  }
  for (const KeyClaim& claim : key_claims())
    CHECK(claim.given.back().rfind(claim.key + "=", 0) == 0);
}

TEST_CASE("a key does to the network what its own parameter does, and no two keys do the same",
          "[sim]") {
  for (const KeyGroup& group : key_groups()) {
    INFO(group.experiment.text());
    check_group(group);
  }
}

TEST_CASE("a key of measurements, traffic or files shows itself in what it promises", "[sim]") {
  const Folder folder;
  write_files(folder);
  for (const KeyClaim& claim : key_claims()) {
    INFO(claim.experiment.text() << "--set" << settings_text(claim.given));
    claim.check(observe(configuration_in(folder, claim.experiment)),
                observe(configuration_in(folder, claim.experiment, claim.given)));
  }
}
