// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "config/problem.h"
#include "config/section.h"

namespace flitcast {

/// A node of a Chakra execution trace: an operation of a rank of a parallel program.
struct ChakraNode {
  /// The numbers are those of the file.
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
  /// The ids of the control dependencies, then of the data dependencies.
  std::vector<std::uint64_t> dependencies{};
  std::uint64_t micros = 0;  ///< The recorded duration in microseconds.
  std::uint64_t origin = 0;  ///< The byte of the file at which the node begins.

  // Attributes are absent if the file has none.

  std::optional<std::int64_t> bytes{};       ///< The attribute comm_size.
  std::optional<std::int64_t> source{};      ///< The attribute comm_src.
  std::optional<std::int64_t> target{};      ///< The attribute comm_dst.
  std::optional<std::int64_t> tag{};         ///< The attribute comm_tag.
  std::optional<std::int64_t> collective{};  ///< The attribute comm_type, of a collective.
  std::string group{};  ///< The attribute pg_name of a collective: the participating ranks.
  std::optional<std::int64_t> operations{};  ///< The attribute num_ops.
  std::optional<std::int64_t> moved{};       ///< The attribute tensor_size, in bytes.
  bool on_cpu = false;                       ///< The attribute is_cpu_op.
};

/// Reads the file of one rank: length-delimited protocol-buffer messages, first the metadata and
/// then one node each, of version 0.0.4 of the schema. A node without a recorded duration has the
/// duration of its attribute `runtime`, also in microseconds.
///
/// Adds a problem for every error, with the byte of its message: a damaged or truncated message,
/// which ends the reading; metadata of another version; an unknown type of node, which is skipped.
///
/// @param file  The name of the file for messages.
/// Source: Sridharan et al., Chakra: Advancing Performance Benchmarking and Co-design using
/// Standardized Execution Traces, arXiv 2305.14516 (2023); MLCommons' et_def.proto.
std::vector<ChakraNode> read_chakra_file(std::istream& in, const std::string& file,
                                         ProblemList& problems);

/// The extension of Chakra's files; every rank has one file.
inline constexpr const char* kChakraEnding = ".et";

/// The files of a parallel program's execution trace, NAME.RANK.et for every rank from 0 up, by
/// rank.
///
/// @param path  The folder of the files, which may hold other files but no other trace; or
///              folder/NAME.
///
/// Throws ConfigError, at the key `file`, if there are none, if the folder holds traces of several
/// names, and for missing or duplicate ranks.
std::vector<std::string> chakra_files(const std::string& path, const Section& workload);

}  // namespace flitcast
