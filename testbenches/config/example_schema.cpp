// SPDX-License-Identifier: Apache-2.0
// Prints the JSON Schema of the tests' table.
#include <iostream>

#include "config/schema.h"
#include "example.h"

int main() {
  const nlohmann::ordered_json sweep{{"sweep", {{"type", "object"}}}};
  std::cout << flitcast::json_schema(example::schema(), sweep, "sweep").dump(2) << '\n';
}
