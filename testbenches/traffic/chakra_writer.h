// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/folder.h"
#include "traffic/chakra_file.h"

namespace flitcast {

/// Prepends the length, as for each message of the file.
inline std::string delimited(const std::string& message) {
  std::string bytes;
  protozero::add_varint_to_buffer(&bytes, message.size());
  return bytes + message;
}

/// Calls `write` with the writer of a nested message.
template <class Write>
void add_message(protozero::pbf_writer& writer, std::uint32_t number, Write write) {
  std::string bytes;
  protozero::pbf_writer inner(bytes);
  write(inner);
  writer.add_message(number, bytes);
}

inline void add_number(protozero::pbf_writer& node, const char* name,
                       const std::optional<std::int64_t>& value) {
  if (!value) return;
  add_message(node, 10, [&](protozero::pbf_writer& attribute) {
    attribute.add_string(1, name);
    attribute.add_int64(9, *value);
  });
}

inline std::string chakra_metadata(const std::string& version) {
  std::string bytes;
  protozero::pbf_writer(bytes).add_string(1, version);
  return delimited(bytes);
}

inline std::string chakra_node(const ChakraNode& node) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_uint64(1, node.id);
  writer.add_string(2, "of a test");
  writer.add_enum(3, static_cast<int>(node.type));
  writer.add_packed_uint64(5, node.dependencies.begin(), node.dependencies.end());
  writer.add_uint64(7, node.micros);
  add_number(writer, "comm_size", node.bytes);
  add_number(writer, "comm_src", node.source);
  add_number(writer, "comm_dst", node.target);
  add_number(writer, "comm_tag", node.tag);
  add_number(writer, "comm_type", node.collective);
  add_number(writer, "num_ops", node.operations);
  add_number(writer, "tensor_size", node.moved);
  if (node.on_cpu) add_number(writer, "is_cpu_op", 1);
  if (!node.group.empty()) {
    add_message(writer, 10, [&](protozero::pbf_writer& attribute) {
      attribute.add_string(1, "pg_name");
      attribute.add_string(29, node.group);
    });
  }
  return delimited(bytes);
}

/// Returns the contents of a rank's file.
inline std::string chakra_bytes(const std::vector<ChakraNode>& nodes,
                                const std::string& version = "0.0.4") {
  std::string bytes = chakra_metadata(version);
  for (const ChakraNode& node : nodes) bytes += chakra_node(node);
  return bytes;
}

using Ids = std::vector<std::uint64_t>;

inline ChakraNode computation(std::uint64_t id, std::uint64_t micros, Ids after = {}) {
  ChakraNode node{id, ChakraNode::Type::kCompute, std::move(after)};
  node.micros = micros;
  return node;
}

inline ChakraNode send(std::uint64_t id, std::int64_t to, std::int64_t bytes, Ids after = {},
                       std::int64_t tag = 0) {
  ChakraNode node{id, ChakraNode::Type::kSend, std::move(after)};
  node.bytes = bytes;
  node.target = to;
  node.tag = tag;
  return node;
}

inline ChakraNode receive(std::uint64_t id, std::int64_t from, std::int64_t bytes, Ids after = {},
                          std::int64_t tag = 0) {
  ChakraNode node{id, ChakraNode::Type::kReceive, std::move(after)};
  node.bytes = bytes;
  node.source = from;
  node.tag = tag;
  return node;
}

/// @param type  The number in the schema: 0 for an all-reduce.
inline ChakraNode collective(std::uint64_t id, std::int64_t type, std::int64_t bytes,
                             Ids after = {}, std::string group = {}) {
  ChakraNode node{id, ChakraNode::Type::kCollective, std::move(after)};
  node.bytes = bytes;
  node.collective = type;
  node.group = std::move(group);
  return node;
}

/// A parallel program: the operations of every rank.
using ChakraProgram = std::vector<std::vector<ChakraNode>>;

/// Writes NAME.0.et, NAME.1.et and so on.
inline void write_chakra(const program::Folder& folder, const std::string& name,
                         const ChakraProgram& program) {
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    folder.write(name + "." + std::to_string(rank) + ".et", chakra_bytes(program[rank]));
  }
}

}  // namespace flitcast
