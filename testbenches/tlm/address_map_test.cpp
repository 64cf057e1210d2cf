// SPDX-License-Identifier: Apache-2.0
#include "tlm/address_map.h"

#include <limits>
#include <stdexcept>
#include <string>

#include "support/test_catch.h"

using flitcast::tlm::AddressMap;
using flitcast::tlm::Window;

namespace {

constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();

std::string problems(const std::vector<Window>& windows, std::size_t targets) {
  try {
    const AddressMap map(windows, targets);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an address belongs to the window around it, ends included", "[tlm]") {
  const AddressMap map({{0x3000, 0x100, 1, 0}, {0x1000, 0x1000, 0, 0x80}}, 2);
  CHECK(map.find(0xfff, 1) == nullptr);
  REQUIRE(map.find(0x1000, 1) != nullptr);
  CHECK(map.find(0x1000, 1)->target == 0);
  CHECK(map.find(0x1fff, 1)->target == 0);
  CHECK(map.find(0x2000, 1) == nullptr);
  CHECK(map.find(0x30ff, 1)->target == 1);
  CHECK(map.find(0x3100, 1) == nullptr);
}

TEST_CASE("a range that leaves its window is not mapped, even into a neighbour", "[tlm]") {
  const AddressMap map({{0x0, 0x100, 0, 0}, {0x100, 0x100, 1, 0}}, 2);
  CHECK(map.find(0xfc, 4) != nullptr);
  CHECK(map.find(0xfd, 4) == nullptr);
  CHECK(map.find(0x0, 0x100) != nullptr);
  CHECK(map.find(0x0, 0) != nullptr);
}

TEST_CASE("the offset is the target's address of the window's first byte", "[tlm]") {
  const Window window{0x1000, 0x1000, 0, 0x80};
  CHECK(window.to_target(0x1004) == 0x84);
  CHECK(window.to_initiator(0x84) == 0x1004);
}

TEST_CASE("windows may reach the last address", "[tlm]") {
  const AddressMap map({{kTop - 0xf, 0x10, 0, 0}}, 1);
  CHECK(map.find(kTop, 1) != nullptr);
  CHECK(map.find(kTop, 2) == nullptr);
  CHECK(map.find(kTop - 0x10, 1) == nullptr);
}

TEST_CASE("all problems of a map are reported at once", "[tlm]") {
  const std::string told = problems({{0x0, 0x1000, 0, 0},
                                     {0x800, 0x10, 1, 0},
                                     {0x900, 0x10, 1, 0},
                                     {0x5000, 0, 0, 0},
                                     {kTop, 2, 0, 0},
                                     {0x6000, 1, 2, 0},
                                     {0x7000, 0x10, 0, kTop}},
                                    2);
  CHECK_THAT(told,
             Catch::Contains("0x0 to 0xfff (target 0) and 0x800 to 0x80f (target 1) overlap") &&
                 Catch::Contains("and 0x900 to 0x90f (target 1) overlap") &&
                 Catch::Contains("window at 0x5000: it is empty") &&
                 Catch::Contains("window at 0xffffffffffffffff: its 0x2 bytes pass the end") &&
                 Catch::Contains("there is no target 2; targets are 0 to 1") &&
                 Catch::Contains("window at 0x7000: its 0x10 bytes pass the end"));
  CHECK(problems({{0x0, 0x1000, 0, 0}, {0x1000, 0x1000, 0, 0}}, 1).empty());
}
