// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "program.h"
#include "support/test_catch.h"

namespace flitcast::program {

using Json = nlohmann::ordered_json;

/// Runs `flitcast run FILE ... --json -` in `folder` and returns the result that it prints.
inline Json result_of(const std::filesystem::path& folder, const std::string& file,
                      const Arguments& more = {}, int exit_code = 0) {
  Arguments arguments{"run", file, "--json", "-", "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = run(folder, arguments);
  INFO(outcome.err);
  REQUIRE(outcome.exit_code == exit_code);
  return Json::parse(outcome.out);
}

/// Returns the text of the result that must repeat, without the host and the wall time.
inline std::string repeatable(Json result) {
  REQUIRE(result.erase("wall_seconds") == 1);
  REQUIRE(result.erase("host") == 1);
  return result.dump(2);
}

}  // namespace flitcast::program
