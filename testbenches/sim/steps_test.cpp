// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep.h"
#include "support/test_catch.h"

using flitcast::Decimal;

namespace {

std::string normal(const std::string& text) {
  const auto decimal = Decimal::parse(text);
  return decimal ? decimal->text() : "none";
}

}  // namespace

TEST_CASE("a decimal prints the number that it read, in the shortest form", "[sim]") {
  CHECK(normal("0.05") == "0.05");
  CHECK(normal("0.50") == "0.5");
  CHECK(normal("8") == "8");
  CHECK(normal("100") == "100");
  CHECK(normal("8.0") == "8");
  CHECK(normal("-0.125") == "-0.125");
  CHECK(normal("1e-3") == "0.001");
  CHECK(normal("1.5e+3") == "1500");
  CHECK(normal(".5") == "0.5");
}

TEST_CASE("what is not an exact decimal is not read", "[sim]") {
  for (const char* text : {"", "x", "1x", "1.2.3", ".inf", "0x10", "1e", "1e99", "1_0", "--1", ".",
                           "123456789012345678", "0.123456789012345678", "99999999999e17"}) {
    INFO(text);
    CHECK(normal(text) == "none");
  }
}

TEST_CASE("more places leave the value as it is", "[sim]") {
  CHECK(Decimal{5, 2}.with_places(4)->digits == 500);
  CHECK(Decimal{5, 2}.with_places(4)->text() == "0.05");
  CHECK_FALSE(Decimal{5, 2}.with_places(30));
}
