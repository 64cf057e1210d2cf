// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitcast {

/// One message of a Netrace file.
struct NetraceMessage {
  std::uint64_t cycle = 0;
  std::uint32_t id = 0;
  std::uint8_t type = 1;
  std::uint8_t source = 0;
  std::uint8_t destination = 0;
  std::vector<std::uint32_t> waiting{};  ///< Ids of the messages that wait for this one.
};

inline void append_number(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
}

/// Returns the uncompressed file, with notes and one partition so that the packets do not start at
/// byte 72.
inline std::string netrace_bytes(const std::vector<NetraceMessage>& messages,
                                 std::uint8_t nodes = 64) {
  const std::string notes("written by a test", 18);
  std::string bytes;
  append_number(bytes, 0x484A5455, 4);
  append_number(bytes, 0x3F800000, 4);
  bytes += std::string(30, 'n');
  append_number(bytes, nodes, 2);
  append_number(bytes, messages.empty() ? 0 : messages.back().cycle, 8);
  append_number(bytes, messages.size(), 8);
  append_number(bytes, notes.size(), 4);
  append_number(bytes, 1, 4);
  append_number(bytes, 0, 8);
  bytes += notes + std::string(24, '\0');
  for (const NetraceMessage& message : messages) {
    append_number(bytes, message.cycle, 8);
    append_number(bytes, message.id, 4);
    append_number(bytes, 0xADD0, 4);
    append_number(bytes, message.type, 1);
    append_number(bytes, message.source, 1);
    append_number(bytes, message.destination, 1);
    append_number(bytes, 2, 1);
    append_number(bytes, message.waiting.size(), 1);
    for (const std::uint32_t id : message.waiting) append_number(bytes, id, 4);
  }
  return bytes;
}

/// The byte at which the first packet of netrace_bytes() starts.
inline constexpr std::size_t kFirstPacket = 72 + 18 + 24;

}  // namespace flitcast
