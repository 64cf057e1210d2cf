// SPDX-License-Identifier: Apache-2.0
// Hostile input: whatever the bytes, the answer is a configuration or a list of problems.
#include <random>

#include "example.h"
#include "support/test_catch.h"

using namespace example;

namespace {

const std::string kValid =
    "# A file with every form of YAML that people use.\n"
    "name: \"mesh \\x41\"\n"
    "seed: 12\n"
    "topology: &t {kind: mesh, sizes: [8, 8]}\n"
    "router:\n"
    "  buffer_depth: 16\n"
    "  bypass: false\n"
    "  weights:\n"
    "    - 0.5\n"
    "    - 1e-3\n"
    "  pipeline: {route: 0}\n"
    "workload:\n"
    "  kind: 'traffic'\n"
    "  pattern: hot_spot\n"
    "  hot_share: 0.125\n"
    "run: {threads: 2}\n";

/// Changes, inserts, removes or copies a few bytes, mostly those that mean something to YAML.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::string kMeaningful = "{}[]:,-?*&!|>'\"%@`#\n\t ~<.=0aA\\\x04\x80";
  const auto at = [&] { return static_cast<std::size_t>(random()) % (text.size() + 1); };
  for (auto edits = 1 + random() % 6; edits > 0; --edits) {
    const char byte = random() % 4 == 0 ? static_cast<char>(random() % 256)
                                        : kMeaningful[random() % kMeaningful.size()];
    switch (random() % 4) {
      case 0:
        text.insert(at(), 1, byte);
        break;
      case 1:
        if (!text.empty()) text[at() % text.size()] = byte;
        break;
      case 2:
        text.erase(at(), random() % 8);
        break;
      default:
        text.insert(at(), text.substr(at(), random() % 40));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("mutated files are accepted or refused, never more", "[config]") {
  const Schema table = schema();
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::string text = mutated(kValid, random);
    INFO(text);
    try {
      const Configuration c = validate(parse_document(text, "net.yaml"), table);
      const std::string effective = c.effective().dump();
      REQUIRE(validate(parse_document(effective, "net.yaml"), table).effective() == c.effective());
      ++accepted;
    } catch (const ConfigError& error) {
      REQUIRE_FALSE(error.problems().empty());
      for (const Problem& problem : error.problems()) {
        REQUIRE(problem.text().find_first_of("\n\r") == std::string::npos);
      }
    }
  }
  CHECK(accepted > 100);  // Otherwise the mutations would only test the parser.
}

TEST_CASE("mutated overrides are accepted or refused, never more", "[config]") {
  const Schema table = schema();
  std::mt19937 random(8);
  for (int round = 0; round < 2000; ++round) {
    Document document = parse_document(kValid, "net.yaml");
    apply_overrides(document, {mutated("router.pipeline={route: 3}", random)});
    try {
      validate(document, table);
    } catch (const ConfigError& error) {
      REQUIRE_FALSE(error.problems().empty());
    }
  }
}
