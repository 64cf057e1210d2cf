// SPDX-License-Identifier: Apache-2.0
#include "traffic/chakra_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <system_error>
#include <utility>

#include "config/wording.h"
#include "traffic/trace.h"

namespace flitcast {
namespace {

using protozero::pbf_reader;
using Wire = protozero::pbf_wire_type;

constexpr const char* kWhole = "use a whole Chakra execution trace";
constexpr const char* kDamaged = "damaged data in this message";
constexpr const char* kVersion = "0.0.4";

/// The key of a field: its number and its wire type.
constexpr std::uint32_t field(std::uint32_t number, Wire type) {
  return protozero::tag_and_type(number, type);
}

/// The contents of AttributeProto: a name, and an integer or a text.
struct Attribute {
  std::string name;
  std::optional<std::int64_t> number{};
  std::string text{};
};

/// Numbers beyond the largest valid one are clamped to it.
std::int64_t from_unsigned(std::uint64_t value) {
  constexpr auto kMost = std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  return static_cast<std::int64_t>(std::min(value, kMost));
}

/// The field as an integer, for any integer type; no value for other types.
std::optional<std::int64_t> whole_number(pbf_reader& message) {
  switch (message.tag_and_type()) {
    case field(7, Wire::varint):
    case field(9, Wire::varint):
      return message.get_int64();
    case field(11, Wire::varint):
    case field(13, Wire::varint):
    case field(27, Wire::varint):
      return from_unsigned(message.get_uint64());
    case field(15, Wire::varint):
    case field(17, Wire::varint):
      return message.get_sint64();
    case field(19, Wire::fixed32):
      return message.get_fixed32();
    case field(21, Wire::fixed64):
      return from_unsigned(message.get_fixed64());
    case field(23, Wire::fixed32):
      return message.get_sfixed32();
    case field(25, Wire::fixed64):
      return message.get_sfixed64();
    default:
      return std::nullopt;
  }
}

Attribute read_attribute(pbf_reader message) {
  Attribute attribute;
  while (message.next()) {
    if (message.tag_and_type() == field(1, Wire::length_delimited)) {
      attribute.name = message.get_string();
    } else if (message.tag_and_type() == field(29, Wire::length_delimited)) {
      attribute.text = message.get_string();
    } else if (const auto number = whole_number(message)) {
      attribute.number = number;
    } else {
      message.skip();
    }
  }
  return attribute;
}

/// The version in the metadata: its own field, or the end of the attribute `schema`:
/// "1.0.2-chakra.0.0.4".
std::string read_version(pbf_reader message) {
  std::string version;
  std::string schema;
  while (message.next()) {
    if (message.tag_and_type() == field(1, Wire::length_delimited)) {
      version = message.get_string();
    } else if (message.tag() == 1) {
      return {};  // The field is the id of a node, so this is not the metadata.
    } else if (message.tag_and_type() == field(2, Wire::length_delimited)) {
      Attribute attribute = read_attribute(message.get_message());
      if (attribute.name == "schema") schema = std::move(attribute.text);
    } else {
      message.skip();
    }
  }
  if (!version.empty()) return version;
  const std::string mark = "chakra.";
  const std::size_t at = schema.rfind(mark);
  return at == std::string::npos ? schema : schema.substr(at + mark.size());
}

class ChakraReader {
 public:
  ChakraReader(std::istream& in, const std::string& file, ProblemList& problems)
      : bytes_(std::istreambuf_iterator<char>(in), {}), file_(file), problems_(problems) {}

  std::vector<ChakraNode> read() {
    try {
      if (!has_known_version()) return {};
      while (at_ < bytes_.size()) read_node(next_message());
    } catch (const protozero::end_of_buffer_exception&) {
      complain(whole_ ? kDamaged : "the file ends within a message", kWhole);
    } catch (const protozero::exception&) {
      complain(kDamaged, kWhole);
    }
    return std::move(nodes_);
  }

 private:
  /// Makes the message that begins at the current position the current one.
  pbf_reader next_message() {
    begin_ = at_;
    whole_ = false;
    const char* data = bytes_.data() + at_;
    const char* const end = bytes_.data() + bytes_.size();
    const std::uint64_t length = protozero::decode_varint(&data, end);
    const auto left = static_cast<std::uint64_t>(end - data);
    if (length > left) throw protozero::end_of_buffer_exception();
    whole_ = true;
    at_ = static_cast<std::size_t>(data - bytes_.data()) + length;
    return pbf_reader(data, length);
  }

  bool has_known_version() {
    const std::string version = read_version(next_message());
    if (version == kVersion) return true;
    complain(version.empty() ? "the first message has no version of the schema"
                             : quoted(version) + " is no known version of the schema",
             fmt::format("use a Chakra execution trace of version {}", kVersion));
    return false;
  }

  void read_node(pbf_reader message) {
    ChakraNode node;
    node.origin = begin_;
    std::int64_t type = 0;
    while (message.next()) read_field(message, node, type);
    const bool known = type >= 1 && type <= static_cast<int>(ChakraNode::Type::kCollective);
    if (!known) {
      return complain(fmt::format("node {} has the unknown type {}", node.id, type),
                      "use types 1 (metadata) to 7 (collective)");
    }
    node.type = static_cast<ChakraNode::Type>(type);
    nodes_.push_back(std::move(node));
  }

  void read_field(pbf_reader& message, ChakraNode& node, std::int64_t& type) {
    const std::uint32_t key = message.tag_and_type();
    if (key == field(1, Wire::varint)) {
      node.id = message.get_uint64();
    } else if (key == field(3, Wire::varint)) {
      type = message.get_int64();
    } else if (key == field(4, Wire::varint) || key == field(5, Wire::varint)) {
      node.dependencies.push_back(message.get_uint64());
    } else if (key == field(4, Wire::length_delimited) || key == field(5, Wire::length_delimited)) {
      for (const std::uint64_t id : message.get_packed_uint64()) node.dependencies.push_back(id);
    } else if (key == field(7, Wire::varint)) {
      node.micros = message.get_uint64();
    } else if (key == field(10, Wire::length_delimited)) {
      take(read_attribute(message.get_message()), node);
    } else {
      skip(message, node);
    }
  }

  // Names, start times and tensors are ignored, but a known field of a wrong type is an error.
  void skip(pbf_reader& message, const ChakraNode& node) {
    const auto number = message.tag();
    if (number == 1 || (number >= 3 && number <= 5) || number == 7 || number == 10) {
      complain(fmt::format("field {} of node {} has a wrong type", number, node.id), kWhole);
    }
    message.skip();
  }

  void take(Attribute attribute, ChakraNode& node) {
    if (attribute.name == "comm_size") node.bytes = attribute.number;
    if (attribute.name == "comm_src") node.source = attribute.number;
    if (attribute.name == "comm_dst") node.target = attribute.number;
    if (attribute.name == "comm_tag") node.tag = attribute.number;
    if (attribute.name == "comm_type") node.collective = attribute.number;
    if (attribute.name == "pg_name") node.group = std::move(attribute.text);
    if (attribute.name == "is_cpu_op") node.on_cpu = attribute.number.value_or(0) != 0;
    if (attribute.name == "num_ops") node.operations = amount(attribute, node);
    if (attribute.name == "tensor_size") node.moved = amount(attribute, node);
    if (attribute.name != "runtime" || node.micros != 0) return;
    node.micros = static_cast<std::uint64_t>(amount(attribute, node).value_or(0));
  }

  /// The number of an attribute that cannot be negative.
  std::optional<std::int64_t> amount(const Attribute& attribute, const ChakraNode& node) {
    if (!attribute.number || *attribute.number >= 0) return attribute.number;
    complain(fmt::format("{} of node {} is {}", attribute.name, node.id, *attribute.number),
             "write a number from 0 up");
    return std::nullopt;
  }

  void complain(std::string what, std::string hint) {
    problems_.add(
        trace_problem(file_, Trace::Unit::kByte, begin_, "", std::move(what), std::move(hint)));
  }

  const std::string bytes_;
  const std::string& file_;
  ProblemList& problems_;
  std::size_t begin_ = 0;  ///< The start of the current message.
  std::size_t at_ = 0;     ///< The start of the next message.
  bool whole_ = false;     ///< True if the file contains the whole message.
  std::vector<ChakraNode> nodes_;
};

}  // namespace

std::vector<ChakraNode> read_chakra_file(std::istream& in, const std::string& file,
                                         ProblemList& problems) {
  return ChakraReader(in, file, problems).read();
}

namespace {

namespace fs = std::filesystem;

/// A file of a rank: "ring.12.et".
struct RankFile {
  std::string name;
  std::uint32_t rank = 0;
};

std::optional<RankFile> rank_file(const fs::path& file) {
  const fs::path numbered = file.stem();
  const std::string dot_rank = numbered.extension();
  if (file.extension() != kChakraEnding || dot_rank.size() < 2) return std::nullopt;
  const auto rank = number_in<std::uint32_t>(dot_rank.substr(1));
  if (!rank) return std::nullopt;
  return RankFile{numbered.stem(), *rank};
}

using Ranks = std::multimap<std::uint32_t, std::string>;

/// The files of every trace in the folder, by the name of the trace.
std::map<std::string, Ranks> traces_in(const fs::path& folder) {
  std::map<std::string, Ranks> traces;
  std::error_code ignored;  // Entries that cannot be examined are skipped.
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const auto file = rank_file(entry.path().filename());
    if (file) traces[file->name].emplace(file->rank, entry.path());
  }
  return traces;
}

std::string missing_ranks(std::uint32_t from, std::uint32_t to) {
  if (from + 1 == to) return fmt::format("rank {} is missing", from);
  return fmt::format("ranks {} to {} are missing", from, to - 1);
}

/// The files in the order of their ranks, which must be 0, 1, 2, ...
std::vector<std::string> in_order(const Ranks& ranks, const Section& workload) {
  std::vector<std::string> files;
  ProblemList problems;
  std::uint32_t next = 0;
  for (const auto& [rank, file] : ranks) {
    if (rank < next) {
      problems.add(workload.problem("file", fmt::format("{} is rank {} again", quoted(file), rank),
                                    "remove one of its files"));
    } else if (rank > next) {
      problems.add(workload.problem(
          "file", fmt::format("{} although there is {}", missing_ranks(next, rank), quoted(file)),
          "give every rank its file, from 0 up"));
    }
    next = rank + 1;
    files.push_back(file);
  }
  problems.throw_if_any();
  return files;
}

}  // namespace

std::vector<std::string> chakra_files(const std::string& path, const Section& workload) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  const fs::path folder = is_folder ? fs::path(path) : fs::path(path).parent_path();
  std::map<std::string, Ranks> traces = traces_in(folder);
  if (!is_folder) {
    const std::string name = fs::path(path).filename();
    const Ranks chosen = traces[name];
    traces.clear();
    if (!chosen.empty()) traces[name] = chosen;
  }
  if (traces.empty()) {
    workload.fail("file", quoted(path) + " leads to no files NAME.RANK.et",
                  "name their folder, or folder/NAME");
  }
  if (traces.size() > 1) {
    workload.fail("file",
                  fmt::format("{} holds several traces, of {} and {}", quoted(path),
                              quoted(traces.begin()->first), quoted(traces.rbegin()->first)),
                  fmt::format("name one of them: {}", (folder / traces.begin()->first).string()));
  }
  return in_order(traces.begin()->second, workload);
}

}  // namespace flitcast
