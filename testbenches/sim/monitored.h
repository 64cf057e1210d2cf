// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flitcast::program {

/// The cycles that tests monitor.
inline constexpr std::uint64_t kFrom = 150;
inline constexpr std::uint64_t kTo = 250;

/// A line of a log of flits.
struct Row {
  std::string packet;
  int flit = 0;
  int router = 0;
  int port = 0;
  int vc = 0;
  std::string arrived;
  std::string left;

  std::string buffer() const {
    return std::to_string(router) + "/" + std::to_string(port) + "/" + std::to_string(vc);
  }
  /// Returns a name such as "router_1.in_2.vc_3", as in waveforms.
  std::string scope() const {
    return "router_" + std::to_string(router) + ".in_" + std::to_string(port) + ".vc_" +
           std::to_string(vc);
  }
  std::uint64_t begin() const { return arrived.empty() ? kFrom : std::stoull(arrived); }
  std::uint64_t end() const { return left.empty() ? kTo : std::stoull(left); }
  bool holds(std::uint64_t cycle) const { return begin() <= cycle && end() > cycle; }
};

std::vector<Row> rows_of(const std::string& csv);

/// Returns the cells of each line of a CSV file, including the first line.
std::vector<std::vector<std::string>> csv_lines(const std::string& csv);

/// Values of the variables of a waveform over time, by name.
class Waveform {
 public:
  using Values = std::map<std::uint64_t, std::string>;

  /// Reads a value change dump of vectors.
  explicit Waveform(const std::string& text);

  const std::map<std::string, Values>& variables() const { return variables_; }
  bool has(const std::string& name) const { return variables_.count(name) != 0; }
  /// Returns the bits of a variable, or "x".
  const std::string& bits(const std::string& name, std::uint64_t cycle) const;
  bool known(const std::string& name, std::uint64_t cycle) const;
  std::uint64_t number(const std::string& name, std::uint64_t cycle) const;

 private:
  std::map<std::string, Values> variables_;
};

}  // namespace flitcast::program
