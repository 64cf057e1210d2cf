// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/scenario.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace flitcast::verify {
namespace {

using Json = nlohmann::ordered_json;

// The names in the order of ResetAt::Phase.
constexpr std::array<const char*, 5> kPhases{"never", "idle", "request", "pass", "beat"};

Json to_json(const Step& step) {
  Json json;
  json["req_set"] = to_hex(step.req_set);
  json["req_avail"] = to_hex(step.req_avail);
  for (std::size_t j = 0; j < step.store.rows(); ++j) {
    json["store"].push_back(to_hex(step.store.set_of(j)));
  }
  if (step.pause != 0) json["pause"] = step.pause;
  if (!step.stalls.empty()) json["stalls"] = step.stalls;
  if (step.reset.phase != ResetAt::Phase::kNever) {
    json["reset"] = {{"phase", kPhases.at(static_cast<std::size_t>(step.reset.phase))},
                     {"count", step.reset.count}};
  }
  if (step.noise != 0) json["noise"] = step.noise;
  for (std::size_t i = 0; i < kNoisy.size(); ++i) {
    if ((step.steady >> i & 1) != 0) json["steady"].push_back(kNoisy[i]);
  }
  return json;
}

// The index of a name in an array.
template <std::size_t Names>
std::size_t number_of(const std::string& name, const std::array<const char*, Names>& names) {
  for (std::size_t i = 0; i < Names; ++i) {
    if (name == names[i]) return i;
  }
  throw std::invalid_argument("\"" + name + "\" is not known here");
}

// Limits the number of rounds, since a larger one would run for years.
std::uint64_t rounds_from(const Json& json) {
  constexpr std::int64_t kMost = 1'000'000'000;
  const auto rounds = json.get<std::int64_t>();
  if (rounds >= 1 && rounds <= kMost) return static_cast<std::uint64_t>(rounds);
  throw std::invalid_argument(fmt::format("{} rounds are not from 1 to {}", rounds, kMost));
}

// Cycles or edges to wait; a larger number means a damaged file and would never end.
unsigned wait_from(const Json& json) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto wait = json.get<std::int64_t>();
  if (wait >= 0 && wait <= kMost) return static_cast<unsigned>(wait);
  throw std::invalid_argument(fmt::format("a wait of {} is not from 0 to {}", wait, kMost));
}

ResetAt reset_from(const Json& json) {
  return {static_cast<ResetAt::Phase>(number_of(json.at("phase").get<std::string>(), kPhases)),
          wait_from(json.at("count"))};
}

Step step_from(const Json& json, const clos::ControllerParams& params) {
  Step step(params.m, params.r);
  step.req_set = from_hex(json.at("req_set").get<std::string>(), params.r);
  step.req_avail = from_hex(json.at("req_avail").get<std::string>(), params.m);
  const Json& store = json.at("store");
  if (store.size() != params.m) throw std::invalid_argument("a store needs a row for each of m");
  for (std::size_t j = 0; j < params.m; ++j) {
    step.store.assign(j, from_hex(store[j].get<std::string>(), params.r));
  }
  step.pause = wait_from(json.value("pause", Json(0)));
  for (const Json& stall : json.value("stalls", Json::array())) {
    step.stalls.push_back(wait_from(stall));
  }
  step.noise = json.value("noise", 0U);
  for (const auto& name : json.value("steady", std::vector<std::string>{})) {
    step.steady |= 1U << number_of(name, kNoisy);
  }
  if (json.contains("reset")) step.reset = reset_from(json["reset"]);
  if (step.req_set.none()) throw std::invalid_argument("a request needs an output switch");
  return step;
}

void require_from(std::size_t least, const char* name, std::size_t value) {
  constexpr std::size_t kMost = 1024;
  if (value >= least && value <= kMost) return;
  throw std::invalid_argument(
      fmt::format("{} = {} is not from {} to {}", name, value, least, kMost));
}

}  // namespace

void require_playable(const clos::ControllerParams& params) {
  constexpr std::size_t kMostBits = std::size_t{1} << 17;
  require_from(1, "m", params.m);
  require_from(1, "r", params.r);
  require_from(0, "x", params.pass_limit);
  if (params.m * params.r > kMostBits) {
    throw std::invalid_argument(
        fmt::format("m = {} and r = {} make a store of {} bits; at most {} "
                    "can be played",
                    params.m, params.r, params.m * params.r, kMostBits));
  }
  if (params.pass_limit > 0 || params.stop_without_progress) return;
  throw std::invalid_argument(
      "x = 0 is no limit of passes, so a blocked request would never end; it needs "
      "stop-without-progress 1");
}

std::string to_json(const Scenario& scenario) {
  Json json;
  json["m"] = scenario.params.m;
  json["r"] = scenario.params.r;
  json["x"] = scenario.params.pass_limit;
  json["stop_without_progress"] = scenario.params.stop_without_progress;
  json["power_up"] = scenario.power_up;
  if (scenario.rounds != 1) json["rounds"] = scenario.rounds;
  json["steps"] = Json::array();
  for (const Step& step : scenario.steps) json["steps"].push_back(to_json(step));
  return json.dump(2) + '\n';
}

Scenario from_json(const std::string& text) try {
  const Json json = Json::parse(text);
  const auto size = [&json](const char* key) { return json.at(key).get<std::size_t>(); };
  Scenario scenario;
  scenario.params = {size("m"), size("r"), size("x"), json.at("stop_without_progress").get<bool>()};
  require_playable(scenario.params);
  scenario.power_up = json.at("power_up").get<unsigned>();
  for (const Json& step : json.at("steps")) {
    scenario.steps.push_back(step_from(step, scenario.params));
  }
  scenario.rounds = rounds_from(json.value("rounds", Json(1)));
  if (scenario.steps.empty()) throw std::invalid_argument("there are no steps to play");
  return scenario;
} catch (const Json::exception& error) {
  // The exception text is "[json.exception...] key 'm' not found".
  const std::string what = error.what();
  throw std::invalid_argument("is no file to replay, such as a fault leaves: " +
                              what.substr(what.find(']') + 2));
}

}  // namespace flitcast::verify
