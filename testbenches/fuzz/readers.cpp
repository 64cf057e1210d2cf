// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "clos/trace.h"
#include "config/configuration.h"
#include "config/problem.h"
#include "sim/sweep/sweep.h"
#include "topology/graph.h"
#include "traffic/trace.h"
#include "traffic/trace_source.h"

namespace flitcast {

namespace {

namespace fs = std::filesystem;

void require(bool kept, const char* promise) {
  if (!kept) throw std::logic_error(promise);
}

/// Calls `read`; a refusal must say of every problem what is wrong and what helps.
template <class Read>
void refusable(Read&& read) {
  try {
    read();
  } catch (const ConfigError& error) {
    require(!error.problems().empty(), "a refusal names its problems");
    for (const Problem& problem : error.problems()) {
      require(!problem.what.empty() && !problem.hint.empty(), "a problem has a hint");
    }
  }
}

void read_yaml(const std::string& bytes) {
  refusable([&] {
    const Sweep sweep(parse_document(bytes, "fuzz.yaml"), experiment_schema());
    const Configuration point = sweep.point(0);
    const std::string again = point.effective().dump();
    require(validate(parse_document(again, "again.yaml"), experiment_schema()).id() == point.id(),
            "the effective configuration read as a file is the configuration");
  });
}

void read_graph_file(const std::string& file, const std::string& bytes) {
  refusable([&] {
    std::istringstream in(bytes);
    const Graph graph = read_graph(in, file);
    require(graph.router_count() > 0, "a graph has routers");
  });
}

/// A file in memory, gone with the object.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : file_(::memfd_create("fuzz", 0)) {
    if (::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
      throw std::runtime_error("no memory for a file");
    }
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

void read_trace(const std::string& format, const std::string& path, const std::string& keys = "") {
  refusable([&] {
    const Section section = read_section(
        "workload", trace_params(), "{file: fuzz, format: " + format + keys + "}", "fuzz.yaml");
    const Trace trace = find(trace_formats(), format)->make(path, section);
    for (const TraceDependency& dependency : trace.dependencies) {
      require(dependency.before < trace.tasks.size() && dependency.after < trace.tasks.size(),
              "dependencies are between tasks of the trace");
    }
  });
}

/// A folder on the disk, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(fs::temp_directory_path() / ("flitcast_fuzz_" + std::to_string(::getpid()))) {
    fs::create_directory(path_);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  const fs::path path_;
};

/// The files of two ranks; the first two bytes say how many the first of them has. Messages of one
/// packet, for their sizes come from the bytes.
void read_chakra_folder(const std::string& bytes) {
  static const TemporaryFolder folder;
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? std::size_t{static_cast<unsigned char>(bytes[at])} : 0;
  };
  const std::size_t begin = std::min<std::size_t>(2, bytes.size());
  const std::size_t end = std::min(begin + byte(0) + 256 * byte(1), bytes.size());
  std::ofstream(folder.path() / "t.0.et", std::ios::binary) << bytes.substr(begin, end - begin);
  std::ofstream(folder.path() / "t.1.et", std::ios::binary) << bytes.substr(end);
  read_trace("chakra", folder.path(), ", flit_bytes: 65536, mtu: 1000000");
}

void read_bzip2(const std::string& bytes) {
  refusable([&] {
    constexpr std::size_t kMost = std::size_t{1} << 24;  // A small file can hold gigabytes.
    const MemoryFile file(bytes);
    const std::unique_ptr<std::istream> in = open_trace_file(file.path());
    require(in != nullptr, "a file that is there can be opened");
    std::size_t length = 0;
    for (char byte = 0; length < kMost && in->get(byte);) ++length;
  });
}

void read_clos_routes(const std::string& bytes) {
  constexpr std::size_t kOutputSwitches = 5;
  std::vector<clos::Event> events;
  try {
    events = clos::parse_trace(bytes, kOutputSwitches);
  } catch (const std::invalid_argument&) {
    return;
  }
  std::string lines;
  for (const clos::Event& event : events) append_line(event, lines);
  std::string again;
  for (const clos::Event& event : clos::parse_trace(lines, kOutputSwitches)) {
    append_line(event, again);
  }
  require(lines == again, "the lines of events are read as these events");
}

}  // namespace

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all{
      {"yaml", read_yaml},
      {"graph", [](const std::string& bytes) { read_graph_file("fuzz.graph", bytes); }},
      {"graphml", [](const std::string& bytes) { read_graph_file("fuzz.graphml", bytes); }},
      {"node_link", [](const std::string& bytes) { read_graph_file("fuzz.json", bytes); }},
      {"anynet", [](const std::string& bytes) { read_graph_file("fuzz.anynet", bytes); }},
      {"csv", [](const std::string& bytes) { read_trace("csv", MemoryFile(bytes).path()); }},
      {"netrace",
       [](const std::string& bytes) { read_trace("netrace", MemoryFile(bytes).path()); }},
      {"chakra", read_chakra_folder},
      {"bzip2", read_bzip2},
      {"clos_routes", read_clos_routes},
  };
  return all;
}

const Reader& reader(const std::string& name) {
  const auto found = std::find_if(readers().begin(), readers().end(),
                                  [&](const Reader& reader) { return reader.name == name; });
  if (found == readers().end()) throw std::out_of_range("no reader is called " + name);
  return *found;
}

}  // namespace flitcast
