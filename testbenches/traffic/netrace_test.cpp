// SPDX-License-Identifier: Apache-2.0
#include "netrace_writer.h"
#include "support/test_catch.h"
#include "trace_content.h"

using namespace flitcast;

namespace {

const std::vector<NetraceMessage> kExchange{
    {0, 100, 1, 3, 9, {101, 102}},  // A read request.
    {20, 101, 2, 9, 3, {}},         // The response with a cache line.
    {25, 102, 27, 9, 63, {}},       // An invalidation.
};

Trace read(const std::string& bytes, std::uint32_t flit_bytes = 16) {
  return read_trace("netrace", bytes, {{"flit_bytes", flit_bytes}});
}

std::string fault(const std::string& bytes) {
  return fault_of_content("netrace", bytes, {{"flit_bytes", 16}});
}

std::string fault(const std::vector<NetraceMessage>& messages) {
  return fault(netrace_bytes(messages));
}

}  // namespace

TEST_CASE("messages become packets where they stand in the file", "[traffic]") {
  const Trace trace = read(netrace_bytes(kExchange));
  REQUIRE(trace.tasks.size() == 3);
  CHECK(trace.tasks[0].origin == kFirstPacket);
  CHECK(trace.tasks[1].origin == kFirstPacket + 21 + 8);
  CHECK(trace.tasks[2].earliest == Cycle{25});
  CHECK(trace.tasks[2].source == NodeId{9});
  CHECK(trace.tasks[2].destination == NodeId{63});
}

TEST_CASE("the ids that a message lists wait for it", "[traffic]") {
  const Trace trace = read(netrace_bytes(kExchange));
  REQUIRE(trace.dependencies.size() == 2);
  CHECK(trace.dependencies[0].before == 0);
  CHECK(trace.dependencies[0].after == 1);
  CHECK(trace.dependencies[1].before == 0);
  CHECK(trace.dependencies[1].after == 2);
}

TEST_CASE("lengths are 8 or 72 bytes by type, rounded up to flits", "[traffic]") {
  struct Case {
    std::uint32_t flit_bytes, control, data;
  };
  const Case expected = GENERATE(Case{16, 1, 5}, Case{8, 1, 9}, Case{1, 8, 72}, Case{72, 1, 1});
  const Trace trace = read(netrace_bytes(kExchange), expected.flit_bytes);
  CHECK(trace.tasks[0].length == expected.control);
  CHECK(trace.tasks[1].length == expected.data);
  CHECK(trace.tasks[2].length == expected.control);
}

TEST_CASE("exactly the fifteen message types are known", "[traffic]") {
  int control = 0;
  int data = 0;
  for (int type = 0; type < 256; ++type) {
    const auto bytes = netrace_bytes({{0, 1, static_cast<std::uint8_t>(type), 1, 2, {}}});
    if (!fault(bytes).empty()) {
      CHECK_THAT(fault(bytes), Catch::Contains("is no packet type"));
    } else {
      ++(read(bytes, 1).tasks[0].length == 8 ? control : data);
    }
  }
  CHECK(control == 9);
  CHECK(data == 6);
}

TEST_CASE("every cut of the file is noticed", "[traffic]") {
  const std::string whole = netrace_bytes(kExchange);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO("cut to " << size << " bytes");
    CHECK_THAT(fault(whole.substr(0, size)), Catch::Contains("the file ends within"));
  }
  CHECK(fault(whole).empty());
  CHECK_THAT(fault(whole + '\0'),
             Catch::Contains("at byte " + std::to_string(whole.size()) + ": more data"));
}

TEST_CASE("malformed files are refused with the byte and the reason", "[traffic]") {
  std::string magic = netrace_bytes(kExchange);
  magic[0] = 'X';
  CHECK_THAT(fault(magic), Catch::Contains("FILE: at byte 0: no Netrace file"));
  std::string version = netrace_bytes(kExchange);
  version[7] = 0x40;
  CHECK_THAT(fault(version), Catch::Contains("not version 1.0"));
  const std::string second = "at byte " + std::to_string(kFirstPacket + 21) + ": ";
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {8, 2, 1, 0, 1, {}}}),
             Catch::Contains(second + "cycle 8 after cycle 9"));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {~0ULL, 2, 1, 0, 1, {}}}),
             Catch::Contains(second + "cycle 18446744073709551615 is beyond"));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {9, 2, 12, 0, 1, {}}}),
             Catch::Contains(second + "12 is no packet type"));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {9, 2, 1, 0, 64, {}}}),
             Catch::Contains(second + "node 64 of 64"));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {9, 1, 1, 0, 1, {}}}),
             Catch::Contains(second + "id 1 is already the packet at byte " +
                             std::to_string(kFirstPacket)));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {}}, {9, 2, 1, 0, 1, {3}}}),
             Catch::Contains(second + "no packet has the id 3"));
  CHECK_THAT(fault({{9, 1, 1, 0, 1, {2}}, {9, 2, 1, 0, 1, {1}}}), Catch::Contains("waits for"));
  CHECK_THAT(fault(std::vector<NetraceMessage>{}), Catch::Contains("no packets"));
}

TEST_CASE("whatever a byte turns into, the file is read or refused", "[traffic]") {
  const std::string whole = netrace_bytes(kExchange);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int flip : {1, 128, 255}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      const bool refused = !fault(damaged).empty();
      // The reader checks the magic number, the version and the number of packets.
      const bool vital = at < 8 || (at >= 48 && at < 56);
      if (vital) CHECK(refused);
    }
  }
}
