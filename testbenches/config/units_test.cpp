// SPDX-License-Identifier: Apache-2.0
// Numbers with units and what they are in cycles, flits and bits.
#include "config/units.h"

#include <cmath>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/schema.h"
#include "config/yaml.h"
#include "support/test_catch.h"

using namespace flitcast;
using nlohmann::json;

namespace {

const Scale kScale{2.5, 64};  // 2.5 cycles a ns; 8 bytes in a flit, 20 GB/s.

struct Read {
  json value;
  Reading reading{};
  std::string problem() const { return reading.problems.at(0).what; }
  std::string hint() const { return reading.problems.at(0).hint; }
};

Read read(const std::string& text, const Param& param, const std::optional<Scale>& scale = kScale) {
  Read result{nullptr, Reading{scale}};
  const YamlValue written = parse_yaml(text, {"f"}, result.reading.problems);
  result.value = read_value(written, param, "key", result.reading);
  return result;
}

Read time(const std::string& text, const std::optional<Scale>& scale = kScale) {
  return read(text, Param::integer("key", "cycles", "", 0, 1e12), scale);
}

Read size(const std::string& text, const std::optional<Scale>& scale = kScale) {
  return read(text, Param::integer("key", "flits", "", 1), scale);
}

Read rate(const std::string& text, const std::optional<Scale>& scale = kScale) {
  return read(text, Param::number("key", "flits per node and cycle", "", 0), scale);
}

Read pace(const std::string& text, const std::optional<Scale>& scale = kScale) {
  return read(text, Param::integer("key", "cycles per flit", "", 1, 1024), scale);
}

Read frequency(const std::string& text) {
  return read(text, Param::number("key", "GHz", "", 1e-3, 1e3), std::nullopt);
}

}  // namespace

TEST_CASE("times are cycles of the clock", "[config]") {
  for (const char* text : {"4 ns", "4ns", "4000 ps", "4e3 ps", "0.004 us", "4e-6ms", "4.0e-9 s",
                           "\"4 ns\"", "10 cycles", "10"}) {
    INFO(text);
    CHECK(time(text).value == 10);
    CHECK(time(text).reading.notes.empty());
  }
  CHECK(time("0 ns").value == 0);
  CHECK(time("400 s").value == 1'000'000'000'000);
}

TEST_CASE("a time that is no whole number of cycles is rounded up and noted", "[config]") {
  const Read late = time("4.1 ns");
  CHECK(late.value == 11);
  REQUIRE(late.reading.notes.size() == 1);
  CHECK(late.reading.notes[0].key == "key");
  CHECK(late.reading.notes[0].what == "4.1 ns is 10.25 cycles, rounded up to 11");
  CHECK(time("1e-300 ps").value == 1);
  // In binary, 0.1 * 3 is a little more than 0.3.
  CHECK(time("0.3 ns", Scale{10, {}}).value == 3);
  CHECK(time("0.1 ns", Scale{30, {}}).value == 3);
  CHECK(time("0.1 ns", Scale{30, {}}).reading.notes.empty());
}

TEST_CASE("sizes are whole flits, rounded up", "[config]") {
  CHECK(size("64 B").value == 8);
  CHECK(size("512b").value == 8);
  CHECK(size("0.5 KiB").value == 64);
  CHECK(size("1 kB").value == 125);
  CHECK(size("1 MiB").value == 131072);
  CHECK(size("1 TiB").value == std::int64_t{1} << 37);
  const Read uneven = size("65 B");
  CHECK(uneven.value == 9);
  CHECK(uneven.reading.notes.at(0).what == "65 B is 8.125 flits, rounded up to 9");
  const Param list = Param::integers("key", "flits", "", 1, 1000);
  CHECK(read("[8 B, 3, 64 B]", list).value == json::array({1, 3, 8}));
}

TEST_CASE("bits and bytes need no flit width, and frequencies no clock", "[config]") {
  CHECK(read("16 B", Param::integer("key", "bits", "", 1), Scale{}).value == 128);
  CHECK(read("128 b", Param::integer("key", "bytes", "", 1), Scale{}).value == 16);
  CHECK(read("2 KiB", Param::integer("key", "bytes", "", 1), Scale{}).value == 2048);
  CHECK(read("1.2 GHz", Param::integer("key", "MHz", "", 1), Scale{}).value == 1200);
  CHECK(read("800 MHz", Param::number("key", "GHz", "", 0), Scale{}).value == 0.8);
}

TEST_CASE("rates are flits in a cycle, not rounded, or the cycles that a flit takes", "[config]") {
  CHECK(rate("4 GB/s").value == 0.2);
  CHECK(rate("4GB/s").value == 0.2);
  CHECK(rate("32 Gb/s").value == 0.2);
  CHECK(rate("4e3 MB/s").value == 0.2);
  CHECK(rate("2 GB/s").value == 0.1);
  CHECK(pace("20 GB/s").value == 1);
  CHECK(pace("10 GB/s").value == 2);
  CHECK(pace("0.8 ns").value == 2);
  CHECK(pace("8 GB/s").value == 3);
  CHECK(pace("8 GB/s").reading.notes.at(0).what ==
        "8 GB/s is 2.5 cycles per flit, rounded up to 3");
  CHECK(pace("40 GB/s").problem() == "40 GB/s is a flit in 0.5 cycles");
}

TEST_CASE("quantities that a key cannot take are refused with what it takes", "[config]") {
  CHECK(time("5 fortnights").problem() == "5 fortnights has no known unit");
  CHECK(time("5 nss").hint() ==
        "did you mean ns? Otherwise write a time such as 5 ns, or plain cycles");
  CHECK(time("5 NS").value.is_null());
  CHECK(time("5 GB/s").problem() == "5 GB/s is a rate");
  CHECK(time("5 GB/s").hint() == "write a time such as 5 ns, or plain cycles");
  CHECK(size("5 ns").problem() == "5 ns is a time");
  CHECK(rate("5 GB").problem() == "5 GB is a size");
  CHECK(frequency("5 ns").value.is_null());
  CHECK(time("-4 ns").problem() == "-4 ns (-10 cycles) is too small");
  CHECK(rate("-4 GB/s").value.is_null());
  CHECK(frequency("0 GHz").value.is_null());
  CHECK(frequency("0").value.is_null());
  CHECK(time("500 s").problem() == "500 s (1250000000000 cycles) is too large");
  CHECK(size("1e300 GB").value.is_null());
  CHECK(rate("1e308 GB/s").value.is_null());
  for (const char* text :
       {"010 ns", "5 n s", "0x5 ns", "inf ns", "nan ns", "five ns", "ns", "5 5 ns", "1_0 ns",
        "5 ns ps", "+5 ns", "5 /s", "1e999 ns", ". ns", "- ns"}) {
    INFO(text);
    CHECK(time(text).value.is_null());
    CHECK(time(text).reading.problems.size() == 1);
  }
  CHECK(read("5 ns", Param::integer("key", "runs", "", 1)).value.is_null());
}

TEST_CASE("a quantity without its scale is refused with the keys that give it", "[config]") {
  CHECK(time("5 ns", Scale{}).problem() == "5 ns needs a clock");
  CHECK(time("5 ns", Scale{}).hint() ==
        "write clock: 1 GHz at the top of the file, or plain cycles");
  CHECK(size("5 B", Scale{}).problem() == "5 B needs the width of a flit");
  CHECK(size("5 B", Scale{1, {}}).value.is_null());
  CHECK(rate("5 GB/s", Scale{}).problem() == "5 GB/s needs a clock and the width of a flit");
  CHECK(rate("5 GB/s", Scale{1, {}}).problem() == "5 GB/s needs the width of a flit");
  CHECK(rate("5 GB/s", Scale{{}, 8}).problem() == "5 GB/s needs a clock");
  CHECK(time("5", Scale{}).value == 5);
  // The fault of the scale itself is reported where it stands.
  CHECK(time("5 ns", std::nullopt).value.is_null());
  CHECK(time("5 ns", std::nullopt).reading.problems.empty());
}

TEST_CASE("lists and the JSON Schema show the units of a key", "[config]") {
  const Schema schema(
      {Param::text("name", "").defaults_to(""), Param::integer("seed", "", "", 0).defaults_to(1)},
      {{"link", "", {Param::integer("latency", "cycles", "Flight.", 1, 9)}}});
  CHECK(parameter_text(schema).find(
            "an integer from 1 to 9, cycles, or a time such as 5 ns; required") !=
        std::string::npos);
  CHECK(parameter_json(schema).back()["units"].dump() == R"(["ps","ns","us","ms","s"])");
  const auto latency = json_schema(schema)["properties"]["link"]["properties"]["latency"];
  CHECK(latency["anyOf"][0]["maximum"] == 9);
  CHECK(latency["anyOf"][1]["pattern"] == "^-?[0-9.]+(e[+-]?[0-9]+)? *(ps|ns|us|ms|s|cycles)$");
}
