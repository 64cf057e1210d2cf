// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/point_store.h"

#include <filesystem>
#include <fstream>
#include <optional>

#include "config/text_file.h"
#include "config/wording.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;
using State = StoredPoint::State;

/// The JSON of a file; not an object if the file is damaged, absent if there is none.
std::optional<ordered_json> json_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return ordered_json::parse(read_text(file).value_or(""), nullptr, false);
}

bool says(const ordered_json& json, const char* key, const ordered_json& value) {
  return json.is_object() && json.value(key, ordered_json()) == value;
}

}  // namespace

StoredPoint PointStore::find(const std::string& id) const {
  const std::optional<ordered_json> result = json_of(result_file(id));
  const bool foreign = result && (!says(*result, "id", id) || !result->contains("status"));
  const bool stale = result && !says(*result, "version", version_);
  if (foreign || (result && !stale && !bears_its_digest(*result))) {
    return {State::kDamaged, {}, visible(result_file(id)) + " is damaged"};
  }
  if (result && !stale && says(*result, "complete", true)) return {State::kDone, *result, ""};
  const std::optional<ordered_json> failure = json_of(failure_file(id));
  if (failure && says(*failure, "id", id) && says(*failure, "version", version_)) {
    return {State::kFailed, {}, failure->value("reason", "for a reason that is lost")};
  }
  if (stale) return {State::kStale, {}, "its result is of another version of flitcast"};
  return {State::kMissing, {}, result ? "its run was stopped" : "it has not been run"};
}

void PointStore::write_failure(const std::string& id, const ordered_json& failure) const {
  write_files({{failure_file(id),
                failure.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"}});
}

void PointStore::forget_failure(const std::string& id) const {
  std::filesystem::remove(failure_file(id));
}

}  // namespace flitcast
