// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/catalog.h"
#include "config/configuration.h"
#include "config/schema.h"

namespace example {

using namespace flitcast;
using Type = Param::Type;

inline Param choice(std::string key, std::vector<std::string> choices, nlohmann::json fallback) {
  Param param{std::move(key), Type::kChoice, std::move(fallback)};
  param.choices = std::move(choices);
  return param;
}

/// A small table with everything that tables have: nested keys, a listing with shared and with
/// equally named keys, a listing inside an entry, all types, a list of sections, and a key that is
/// not dumped.
inline Schema schema() {
  const Catalog<CatalogEntry<int>> shapes{
      {"mesh", "", {{"sizes", Type::kIntegers, nullptr, "routers", "Sizes.", 1, 64}}, 0},
      {"torus", "", {{"sizes", Type::kIntegers, nullptr, "routers", "Sizes.", 1, 64}}, 0},
      {"ring", "", {{"nodes", Type::kInteger, 8, "", "Nodes.", 2, 99}}, 0},
      {"clique", "", {{"nodes", Type::kInteger, 4, "", "Nodes.", 2, 9}}, 0},
  };
  Param hot{"hot_share", Type::kNumber, 0.25, "", "Share of the hot node.", 0, 1};
  hot.when = {"pattern", {"hot_spot"}};
  Param burst{"burst", Type::kInteger, 4, "", "", 1, 9};
  burst.when = {"kind", {"bursty"}};
  Param flows = Param::sections(
      "flows", "Flows.",
      {{"name", Type::kText}, choice("kind", {"steady", "bursty"}, "steady"), burst});
  flows.default_dumped = false;
  Param alone{"alone", Type::kBoolean, true};
  alone.when = {"flows", {"[]"}};
  alone.default_dumped = false;
  const Catalog<CatalogEntry<int>> workloads{
      {"traffic",
       "",
       {choice("pattern", {"uniform", "hot_spot"}, "uniform"), hot, flows, alone},
       0},
      {"trace", "", {{"file", Type::kText, nullptr}}, 0},
  };
  Param threads{"threads", Type::kInteger, 1, "", "", 1, 64};
  threads.dumped = false;
  return Schema({{"name", Type::kText, ""}, {"seed", Type::kInteger, 1, "", "", 0}},
                {{"topology", "", catalog_params(choice("kind", {}, nullptr), shapes)},
                 {"router",
                  "",
                  {{"buffer_depth", Type::kInteger, 8, "flits", "Depth.", 1, 64},
                   {"bypass", Type::kBoolean, false},
                   {"weights", Type::kNumbers, 1},
                   {"pipeline.route", Type::kInteger, 1, "cycles", "", 0, 8},
                   {"pipeline.traversal", Type::kInteger, 1, "cycles", "", 0, 8}}},
                 {"workload", "", catalog_params(choice("kind", {}, "traffic"), workloads)},
                 {"run", "", {threads}}});
}

inline Configuration read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Document document = parse_document(text, "net.yaml");
  apply_overrides(document, overrides);
  return validate(document, schema());
}

/// The problems of a text, one a line; "" when there are none.
inline std::string problems(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
  try {
    read(text, overrides);
    return {};
  } catch (const ConfigError& error) {
    return error.what();
  }
}

/// The smallest valid text.
inline const std::string kRing = "topology: {kind: ring}\n";

}  // namespace example
