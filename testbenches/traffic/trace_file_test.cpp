// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "base/random.h"
#include "support/temporary_file.h"
#include "support/test_catch.h"
#include "traffic/trace.h"
#include "workload.h"

using namespace flitcast;

namespace {

/// Half a megabyte that compresses only in part.
std::string content() {
  Random random(1);
  std::string text;
  while (text.size() < 500'000) text += std::to_string(random.below(1000)) + ",";
  return text;
}

std::string read_whole(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const auto in = open_trace_file(file.path());
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(*in), {}};
}

/// Reads by blocks, as the trace readers do.
std::string read_by_blocks(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const auto in = open_trace_file(file.path());
  REQUIRE(in);
  std::string result;
  std::string block(1000, '\0');
  while (in->read(block.data(), 1000) || in->gcount() != 0) {
    result.append(block, 0, static_cast<std::size_t>(in->gcount()));
  }
  return result;
}

}  // namespace

TEST_CASE("plain and compressed files read alike", "[traffic]") {
  const std::string text = content();
  CHECK(read_whole(text) == text);
  CHECK(read_whole(compressed(text)) == text);
  CHECK(read_by_blocks(compressed(text)) == text);
}

TEST_CASE("highly compressed data comes out whole", "[traffic]") {
  const std::string zeros(3'000'000, '0');  // About a hundred bytes of compressed input.
  CHECK(read_by_blocks(compressed(zeros)) == zeros);
}

TEST_CASE("several compressed streams in a row are one file", "[traffic]") {
  const std::string text = content();
  CHECK(read_by_blocks(compressed("cycle,") + compressed("") + compressed(text)) ==
        "cycle," + text);
}

TEST_CASE("empty files read as empty", "[traffic]") {
  CHECK(read_whole("").empty());
  CHECK(read_whole("B") == "B");
  CHECK(read_whole(compressed("")).empty());
}

TEST_CASE("compressed data that is cut or damaged is refused", "[traffic]") {
  const std::string whole = compressed(content());
  for (const std::size_t size :
       {std::size_t{3}, std::size_t{10}, whole.size() / 2, whole.size() - 1}) {
    CHECK_THAT(complaint([&] { read_by_blocks(whole.substr(0, size)); }),
               Catch::Contains("the file ends within compressed data"));
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 1);
  CHECK_THAT(complaint([&] { read_by_blocks(damaged); }), Catch::Contains("damaged bzip2 data"));
  CHECK_THAT(complaint([&] { read_by_blocks(whole + "rest"); }),
             Catch::Contains("damaged bzip2 data") || Catch::Contains("ends within"));
}

TEST_CASE("what is no readable file does not open", "[traffic]") {
  CHECK_FALSE(open_trace_file("no/such/file"));
  CHECK_FALSE(open_trace_file("/"));
}
