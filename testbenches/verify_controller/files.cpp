// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/files.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "sim/host/output_file.h"
#include "verify_controller/scenario.h"

namespace flitcast::verify {
namespace {

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file that is removed at the end.
class Draft {
 public:
  explicit Draft(std::string name) : name_(std::move(name)) {}
  ~Draft() { std::remove(name_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  const std::string& name() const { return name_; }

 private:
  const std::string name_;
};

// The clocks before a fault that a waveform covers; the fault may come after millions of clocks.
constexpr std::uint64_t kWaveClocks = 10'000;

// Requires many times the space that a shortened fault needs, because the waveform writer ignores
// write errors, or crashes; without that space no waveform is written.
void require_space(const std::string& file) {
  constexpr std::size_t kSpace = std::size_t{16} << 20;
  OutputFile(file).write(std::string(kSpace, '\0'));
}

}  // namespace

void require_writable(const std::string& folder) try {
  const OutputFile unused((std::filesystem::path(folder) / "try").string());
} catch (const std::system_error& error) {
  throw std::runtime_error("--out: nothing can be written into \"" + folder +
                           "\": " + error.code().message() + "; name another folder");
}

void write_replay(const std::string& stem, const Verdict& verdict) {
  write_files({{stem + ".json", to_json(*verdict.why)}});
}

void write_waveform(const std::string& stem, const Task& task, const Verdict& verdict,
                    const MakeDut& make_dut) {
  require_space(stem + ".fst");
  const Draft draft(stem + ".fst.draft");
  const std::uint64_t fault = verdict.fault->clock;
  replay(task, *verdict.why, make_dut, {draft.name(), fault - std::min(fault, kWaveClocks)});
  write_files({{stem + ".fst", read_file(draft.name())}});
}

}  // namespace flitcast::verify
