// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/text_hash.h"
#include "sim/results/result.h"

namespace flitcast {
namespace {

constexpr const char* kDigest = "digest";

std::string digest_of(const nlohmann::ordered_json& result) { return hash_text(result.dump()); }

}  // namespace

const FigureTable<Configuration>& identity_figures() {
  using C = Configuration;
  static const FigureTable<C> table{
      {"name", "", "The experiment's name.", &C::name},
      {"version", "", "The version of flitcast.", [](const C&) { return FLITCAST_VERSION; }},
      {"seed", "", "Start of all random numbers.", &C::seed},
      {"id", "",
       "Hash of all that decides the result, the contents of files included: equal for equal "
       "experiments.",
       &C::id},
      {"config", "", "The configuration in force, defaults included; run as a file it repeats it.",
       &C::effective},
  };
  return table;
}

const std::set<std::string>& passing_members() {
  static const std::set<std::string> names{"wall_seconds", "host", kDigest};
  return names;
}

void add_digest(nlohmann::ordered_json& result) { result[kDigest] = digest_of(result); }

bool bears_its_digest(const nlohmann::ordered_json& result) {
  if (!result.contains(kDigest)) return false;
  nlohmann::ordered_json rest = result;
  for (const std::string& name : passing_members()) rest.erase(name);
  return result.at(kDigest) == digest_of(rest);
}

FigureMeaning digest_meaning() {
  return {kDigest, "",
          "Hash of the whole result but wall_seconds and host: equal results have equal ones, a "
          "damaged file another."};
}

}  // namespace flitcast
