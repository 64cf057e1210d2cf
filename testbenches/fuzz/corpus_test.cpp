// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/readers.h"
#include "support/test_catch.h"

namespace flitcast {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("every reader keeps its promises on its corpus and on every beginning of it", "[fuzz]") {
  constexpr std::size_t kLongest = 400;
  for (const Reader& reader : readers()) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(FLITCAST_CORPUS) / reader.name)) {
      INFO(entry.path());
      const std::string bytes = bytes_of(entry.path());
      CHECK_NOTHROW(reader.read(bytes));
      for (std::size_t length = 0; length < std::min(bytes.size(), kLongest); ++length) {
        REQUIRE_NOTHROW(reader.read(bytes.substr(0, length)));
      }
      ++files;
    }
    CHECK(files > 0);
  }
}

}  // namespace
}  // namespace flitcast
