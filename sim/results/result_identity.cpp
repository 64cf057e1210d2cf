// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text_hash.h"
#include "config/text_file.h"
#include "sim/results/result.h"

namespace flitcast {
namespace {

constexpr const char* kDigest = "digest";

std::string digest_of(const ordered_json& result) { return hash_text(result.dump()); }

}  // namespace

const FigureTable<Configuration> kIdentityFigures{
    {"name", "(text)", "Name of the experiment.", &Configuration::name},
    {"version", "(text)", "Version of flitcast.", [](const auto&) { return FLITCAST_VERSION; }},
    {"seed", "", "Seed of all random numbers.", &Configuration::seed},
    {"id", "(text)",
     "Hash of everything that decides the result, including the contents of files: equal for "
     "equal experiments.",
     &Configuration::id},
    {"config", "(map)",
     "The effective configuration, including defaults; alone in a file it repeats the experiment.",
     &Configuration::effective},
};

const std::set<std::string>& passing_members() {
  static const std::set<std::string> names{"wall_seconds", "host", kDigest};
  return names;
}

void add_digest(ordered_json& result) { result[kDigest] = digest_of(result); }

std::optional<ordered_json> read_json(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return ordered_json::parse(read_text(file).value_or(""), nullptr, false);
}

bool bears_its_digest(const ordered_json& result) {
  if (!result.contains(kDigest)) return false;
  ordered_json rest = result;
  for (const std::string& name : passing_members()) rest.erase(name);
  return result.at(kDigest) == digest_of(rest);
}

FigureMeaning digest_meaning() {
  return {kDigest, "(text)",
          "Hash of the result without wall_seconds and host: equal for equal results, wrong in a "
          "damaged file."};
}

}  // namespace flitcast
