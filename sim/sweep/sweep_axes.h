// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/schema.h"
#include "config/yaml.h"

namespace flitcast {

/// Keys that change together from point to point; most often a single one.
struct Axis {
  std::vector<std::string> keys;             ///< Full names.
  std::vector<std::vector<YamlValue>> rows;  ///< By place on the axis: a value for every key.
};

/// The axes that the section `sweep` names, slowest first: a list of values, {from, to, step}, or
/// under `zip` a map, or a list of maps, of keys whose values go together, the first with the
/// first. Adds problems to those of `base`, the document without the section.
std::vector<Axis> read_axes(const YamlEntry& sweep, Document& base, const Schema& schema);

/// `repeat: N` as an axis: the seed of the file and N - 1 that follow it.
/// @param seed  That the document gives, or its default.
Axis seeds_from(std::int64_t seed, std::size_t count, const Place& place);

/// More seeds than anyone averages over.
inline constexpr int kMostRepetitions = 10000;

/// The JSON Schema of `sweep`, for json_schema().
nlohmann::ordered_json sweep_json_schema(const Schema& schema);

}  // namespace flitcast
