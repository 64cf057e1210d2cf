// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_folder.h"

#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/host/output_file.h"
#include "sim/results/result.h"

namespace flitcast {

namespace {

constexpr const char* kDescription = "sweep.json";
constexpr const char* kOtherFolder = "name another folder with --out";

/// True if the file is not a description: damaged, or of another kind.
bool describes_nothing(const ordered_json& json) {
  const auto is = [&](const char* key, ordered_json::value_t type) {
    return json.contains(key) && json.at(key).type() == type;
  };
  using Type = ordered_json::value_t;
  return !json.is_object() || !is("name", Type::string) || !is("version", Type::string) ||
         !is("keys", Type::array) || !is("repeat", Type::number_unsigned) ||
         !is("points", Type::array);
}

}  // namespace

ordered_json describe(const Sweep& sweep) {
  ordered_json points = ordered_json::array();
  std::string name;
  for (std::size_t point = 0; point < sweep.size(); ++point) {
    const Configuration configuration = sweep.point(point);
    name = configuration.name();
    points.push_back({{"point", point},
                      {"id", configuration.id()},
                      {"values", sweep.values(point, configuration)}});
  }
  return {{"name", name},
          {"version", FLITCAST_VERSION},
          {"keys", sweep.keys()},
          {"repeat", sweep.repetitions()},
          {"points", std::move(points)}};
}

std::vector<DescribedPoint> points_of(const ordered_json& description) {
  return mapped(description.at("points"), [](const ordered_json& point) {
    return DescribedPoint{point.at("point").get<std::size_t>(), point.at("id").get<std::string>(),
                          point.at("values")};
  });
}

std::vector<DescribedPoint> points_to_run(const std::vector<DescribedPoint>& points,
                                          const PointStore& store, bool rerun_failed) {
  return filtered(points, [&](const DescribedPoint& point) {
    const StoredPoint stored = store.find(point.id);
    const bool failed = stored.state == StoredPoint::State::kFailed;
    return !stored.done() && (rerun_failed || !failed);
  });
}

ordered_json SweepFolder::describe(const Sweep& sweep) const {
  const std::string path = file(kDescription);
  ordered_json now = flitcast::describe(sweep);
  const ordered_json before = read_json(path).value_or(nullptr);
  if (before == now) return now;
  if (!describes_nothing(before) && before.at("name") != now.at("name")) {
    fail({visible(path)},
         "the folder is that of the sweep " + quoted(before.at("name").get<std::string>()),
         kOtherFolder);
  }
  if (sweep.overridden() && !describes_nothing(before) && before.at("points") != now.at("points")) {
    fail({visible(path)}, "with --set the sweep has other points than this folder",
         std::string("leave --set out, or ") + kOtherFolder);
  }
  write_files({{path, now.dump(1) + "\n"}});
  return now;
}

ordered_json SweepFolder::description_with(const Sweep& sweep,
                                           const std::vector<std::size_t>& points) const {
  if (!std::filesystem::exists(file(kDescription))) describe(sweep);
  ordered_json there = description();
  for (const std::size_t point : points) {
    const Configuration configuration = sweep.point(point);
    const bool same = there.at("version") == FLITCAST_VERSION &&
                      there.at("name") == configuration.name() &&
                      point < there.at("points").size() &&
                      there.at("points").at(point).at("id") == configuration.id();
    if (same) continue;
    fail({visible(file(kDescription))},
         "the folder has another point " + std::to_string(point) + ", or that of another version",
         std::string("run the whole sweep, which adds points and loses none, or ") + kOtherFolder);
  }
  return there;
}

ordered_json SweepFolder::description() const {
  const std::string path = file(kDescription);
  if (!std::filesystem::exists(path)) {
    fail({visible(path)}, "there is no such file", "name the folder of a sweep that has been run");
  }
  ordered_json json = read_json(path).value_or(nullptr);
  if (describes_nothing(json))
    fail({visible(path)}, "is damaged", "run the sweep again: results are kept");
  return json;
}

std::shared_ptr<std::FILE> lock_folder(const SweepFolder& folder) {
  const std::string file = folder.file(".lock");
  make_folder(std::filesystem::path(file).parent_path());
  std::FILE* const opened = std::fopen(file.c_str(), "a+e");
  if (opened == nullptr) {
    throw std::system_error(errno, std::generic_category(), file + ": cannot be written");
  }
  std::shared_ptr<std::FILE> lock(opened, std::fclose);
  if (::flock(::fileno(opened), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
  fail({visible(file)}, "another sweep is being run into this folder",
       std::string("wait for its end, or ") + kOtherFolder);
}

namespace {

using State = StoredPoint::State;

bool says(const ordered_json& json, const char* key, const ordered_json& value) {
  return json.is_object() && json.value(key, ordered_json()) == value;
}

}  // namespace

StoredPoint PointStore::find(const std::string& id) const {
  std::optional<ordered_json> stored = read_json(result_file(id));
  const bool found = stored.has_value();
  ordered_json result = std::move(stored).value_or(nullptr);
  const bool foreign = found && (!says(result, "id", id) || !result.contains("status"));
  const bool stale = found && !says(result, "version", version);
  if (foreign || (found && !stale && !bears_its_digest(result))) {
    return {State::kDamaged, {}, visible(result_file(id)) + " is damaged"};
  }
  if (found && !stale && says(result, "complete", true))
    return {State::kDone, std::move(result), ""};
  const ordered_json failure = read_json(failure_file(id)).value_or(nullptr);
  if (says(failure, "id", id) && says(failure, "version", version)) {
    return {State::kFailed, {}, failure.value("reason", "for a reason that is lost")};
  }
  if (stale) return {State::kStale, {}, "its result is of another version of flitcast"};
  return {State::kMissing, {}, found ? "its run was stopped" : "it has not been run"};
}

void PointStore::write_failure(const std::string& id, const ordered_json& failure) const {
  write_files({{failure_file(id),
                failure.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"}});
}

void PointStore::forget_failure(const std::string& id) const {
  std::filesystem::remove(failure_file(id));
}

}  // namespace flitcast
