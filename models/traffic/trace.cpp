// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace.h"

#include <bzlib.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <set>
#include <streambuf>
#include <utility>

#include "base/sequences.h"
#include "config/problem.h"
#include "config/wording.h"

namespace flitcast {

const Trace::File& Trace::file_of(std::uint32_t task) const {
  const NodeId node = tasks[task].source;
  if (files.size() == 1) return files.front();
  return *first_where(files, [node](const File& file) { return file.node == node; });
}

// Each format is defined in the file of its reader.
TraceFormatEntry csv_trace_format();
TraceFormatEntry netrace_trace_format();
TraceFormatEntry chakra_trace_format();

Catalog<TraceFormatEntry>& trace_formats() {
  static Catalog<TraceFormatEntry> catalog{csv_trace_format(), netrace_trace_format(),
                                           chakra_trace_format()};
  return catalog;
}

Problem trace_problem(const std::string& file, Trace::Unit unit, std::uint64_t origin,
                      std::string key, std::string what, std::string hint, int column) {
  Place place{file, 0, 0};
  if (unit == Trace::Unit::kLine) {
    place.line = static_cast<int>(origin);
    place.column = column;
  } else {
    what = fmt::format("at byte {}: {}", origin, what);
  }
  return {place, std::move(key), std::move(what), std::move(hint)};
}

std::vector<std::size_t> named_ranks(const Section& section, std::size_t count,
                                     ProblemList& problems) {
  const std::vector<std::int64_t> given = section.integers("ranks");
  const std::set<std::size_t> ranks(given.begin(), given.end());
  const auto complain = [&](std::string what, std::string hint) {
    problems.add(section.problem("ranks", std::move(what), std::move(hint)));
  };
  if (ranks.empty()) complain("names no rank", "name one at least");
  if (!ranks.empty() && *ranks.rbegin() >= count) {
    complain(fmt::format("{} is none of the {} ranks", *ranks.rbegin(), count),
             fmt::format("write ranks from 0 to {}", count - 1));
  }
  if (ranks.size() != given.size()) complain("a rank is named twice", "name each once");
  return {given.begin(), given.end()};
}

namespace {

/// Decompresses the streams of a bzip2 file, one after another.
class Bzip2Buffer : public std::streambuf {
 public:
  Bzip2Buffer(std::string path, std::ifstream file)
      : path_(std::move(path)), file_(std::move(file)) {
    start();
  }
  ~Bzip2Buffer() override { BZ2_bzDecompressEnd(&stream_); }

 protected:
  int_type underflow() override {
    stream_.next_out = output_.data();
    stream_.avail_out = static_cast<unsigned>(output_.size());
    while (stream_.avail_out == output_.size() && decompress()) {
    }
    const std::size_t size = output_.size() - stream_.avail_out;
    total_ += size;
    setg(output_.data(), output_.data(), output_.data() + size);
    return size == 0 ? traits_type::eof() : traits_type::to_int_type(output_.front());
  }

 private:
  void start() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  /// Runs one step of the decompressor; returns false at the end of the file.
  bool decompress() {
    if (stream_.avail_in == 0) refill();
    const bool starved = stream_.avail_in == 0;
    if (between_streams_) {
      if (starved) return false;
      BZ2_bzDecompressEnd(&stream_);
      start();
    }
    const int status = BZ2_bzDecompress(&stream_);
    if (status != BZ_OK && status != BZ_STREAM_END) fail("damaged bzip2 data");
    between_streams_ = status == BZ_STREAM_END;
    // Without input the decompressor may still produce output; without either the file is
    // truncated.
    if (starved && !between_streams_ && stream_.avail_out == output_.size()) {
      fail("the file ends within compressed data");
    }
    return true;
  }

  void refill() {
    file_.read(input_.data(), static_cast<std::streamsize>(input_.size()));
    stream_.next_in = input_.data();
    stream_.avail_in = static_cast<unsigned>(file_.gcount());
  }

  [[noreturn]] void fail(const std::string& what) const {
    flitcast::fail({path_, 0, 0}, fmt::format("after byte {} uncompressed: {}", total_, what),
                   "fetch or compress the file again");
  }

  const std::string path_;
  std::ifstream file_;
  bz_stream stream_{};
  bool between_streams_ = false;
  std::array<char, 65536> input_{};
  std::array<char, 65536> output_{};
  std::uint64_t total_ = 0;  ///< The uncompressed bytes before the current output.
};

class Bzip2Stream : public std::istream {
 public:
  Bzip2Stream(const std::string& path, std::ifstream file)
      : std::istream(nullptr), buffer_(path, std::move(file)) {
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);  // The stream passes the buffer's ConfigError on to the reader.
  }

 private:
  Bzip2Buffer buffer_;
};

bool is_bzip2(std::ifstream& file) {
  std::string magic(3, ' ');
  file.read(magic.data(), 3);
  return magic == "BZh";
}

}  // namespace

std::unique_ptr<std::istream> open_trace_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const bool bzip2 = is_bzip2(file);
  if (!file.is_open() || file.bad()) return nullptr;  // A folder opens but cannot be read.
  file.clear();
  file.seekg(0);
  if (bzip2) return std::make_unique<Bzip2Stream>(path, std::move(file));
  return std::make_unique<std::ifstream>(std::move(file));
}

std::unique_ptr<std::istream> open_trace_file(const std::string& path, const Section& workload) {
  auto in = open_trace_file(path);
  if (!in) workload.fail("file", "cannot read " + quoted(path), "name a file that can be read");
  return in;
}

}  // namespace flitcast
