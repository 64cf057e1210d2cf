// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "config/problem.h"

namespace flitcast {

/// A node of a Chakra execution trace: something that a rank of a parallel program did.
struct ChakraNode {
  /// Numbers as in the file.
  enum class Type : std::uint8_t {
    kMetadata = 1,
    kMemoryLoad = 2,
    kMemoryStore = 3,
    kCompute = 4,
    kSend = 5,
    kReceive = 6,
    kCollective = 7,
  };

  std::uint64_t id = 0;
  Type type = Type::kCompute;
  std::vector<std::uint64_t> dependencies{};  ///< Ids: those by control, then those by data.
  std::uint64_t micros = 0;                   ///< That it took when it was recorded.
  std::uint64_t origin = 0;                   ///< The byte of the file where it begins.

  // Attributes, absent where the file has none.

  std::optional<std::int64_t> bytes{};       ///< comm_size
  std::optional<std::int64_t> source{};      ///< comm_src
  std::optional<std::int64_t> target{};      ///< comm_dst
  std::optional<std::int64_t> tag{};         ///< comm_tag
  std::optional<std::int64_t> collective{};  ///< comm_type, of a collective
  std::string group{};                       ///< pg_name, of a collective: who takes part
};

/// Reads the file of one rank: length-delimited protocol-buffer messages, the metadata first and
/// then a node each, of version 0.0.4 of the schema. A node without a recorded time has that of its
/// attribute `runtime`, in microseconds as well.
///
/// Adds a problem for every fault, with the byte of the message that it is in: a damaged or
/// truncated message, which ends the reading; metadata of another version; an unknown type of node,
/// which leaves it out.
///
/// @param file  Its name for messages.
/// Source: Sridharan et al., Chakra: Advancing Performance Benchmarking and Co-design using
/// Standardized Execution Traces, arXiv 2305.14516 (2023); MLCommons' et_def.proto.
std::vector<ChakraNode> read_chakra_file(std::istream& in, const std::string& file,
                                         ProblemList& problems);

}  // namespace flitcast
