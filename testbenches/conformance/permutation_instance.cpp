// SPDX-License-Identifier: Apache-2.0
#include "conformance/permutation_instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

std::vector<std::size_t> mesh_sizes(const std::string& parentheses) {
  if (parentheses.size() < 2 || parentheses.back() != ')') {
    throw std::invalid_argument("no mesh \"" + parentheses + "\"");
  }
  std::vector<std::size_t> sizes;
  std::vector<std::string> parts = split(parentheses.substr(0, parentheses.size() - 1), ',');
  const bool named = parts.size() == 2 && after(parts[0], "rows=") != nullptr;
  if (named) {
    const char* columns = after(parts[1], "cols=");
    if (columns == nullptr) throw std::invalid_argument("rows without columns");
    parts = {after(parts[0], "rows="), columns};
  }
  for (const std::string& part : parts) sizes.push_back(to_count(part));
  // A plane is written as rows and columns, and dimension 0 counts columns.
  if (sizes.size() == 2) std::swap(sizes[0], sizes[1]);
  if (std::count(sizes.begin(), sizes.end(), 0U) > 0) throw std::invalid_argument("a size of 0");
  return sizes;
}

}  // namespace

PermutationNetwork PermutationNetwork::of(const std::string& text) {
  PermutationNetwork network;
  if (const char* sizes = after(text, "M(")) {
    network.sizes = mesh_sizes(sizes);
  } else if (const char* levels = after(text, "BF")) {
    network.family = Family::kButterfly;
    network.dimension = to_count(levels);
  } else if (const char* dimension = after(text, "Q")) {
    network.family = Family::kCube;
    network.dimension = to_count(dimension);
  } else {
    throw std::invalid_argument("no network \"" + text + "\"");
  }
  return network;
}

// The rows of levels 0 to n are the first nodes of the routers of a 2-ary (n+1)-fly.
std::string PermutationNetwork::topology_text() const {
  switch (family) {
    case Family::kCube:
      return fmt::format("{{kind: hypercube, dimension: {}}}", dimension);
    case Family::kButterfly:
      return fmt::format("{{kind: butterfly, arity: 2, stages: {}}}", dimension + 1);
    case Family::kMesh:
      break;
  }
  return fmt::format("{{kind: mesh, sizes: [{}]}}", fmt::join(sizes, ", "));
}

std::string PermutationNetwork::routing_text() const {
  if (family == Family::kCube) return "{kind: e_cube}";
  return family == Family::kButterfly ? "{kind: destination_tag}" : "{kind: dimension_order}";
}

std::string PermutationNetwork::at_once() const {
  if (family == Family::kCube) return "algorithm: bit_fixing";
  return family == Family::kButterfly ? "algorithm: one_pass, ends: routers"
                                      : "algorithm: dimension_order";
}

std::size_t seed_in(const std::string& text, const std::string& function) {
  const char* rest = after(text, function + "(");
  if (rest == nullptr) throw std::invalid_argument("no instance \"" + text + "\"");
  std::string number = rest;
  if (const char* named = after(number, "seed=")) number = std::string(named);
  if (number.empty() || number.back() != ')') {
    throw std::invalid_argument("no instance \"" + text + "\"");
  }
  number.pop_back();
  return to_count(number);
}

std::string instance_text(const std::string& text) {
  static const std::map<std::string, std::string> names{
      {"transpose", "transpose"}, {"bitrev", "bit_reverse"},
      {"shuffle", "shuffle"},     {"complement", "complement"},
      {"identity", "identity"},   {"transpose_midflip", "transpose_midflip"}};
  if (const auto found = names.find(text); found != names.end()) return found->second;
  if (after(text, "perm(")) return fmt::format("{{random: {}}}", seed_in(text, "perm"));
  if (after(text, "func(")) return fmt::format("{{random_function: {}}}", seed_in(text, "func"));
  if (after(text, "WB(")) return "worst_buffer";
  if (after(text, "B3(")) return "worst_dimension_order";
  const std::vector<std::string> parts = split(text, ',');
  const bool draws = parts.size() == 3 && parts[2] == " draw src then dst";
  const char* packets = draws ? after(parts[0], "K=") : nullptr;
  const char* seed = draws ? after(parts[1], " seed=") : nullptr;
  if (packets == nullptr || seed == nullptr) {
    throw std::invalid_argument("no instance \"" + text + "\"");
  }
  const std::vector<std::string> count = split(packets, ' ');
  if (count.size() != 2 || count[1] != "packets") {
    throw std::invalid_argument("no instance \"" + text + "\"");
  }
  return fmt::format("{{random_pairs: [{}, {}]}}", to_count(seed), to_count(count[0]));
}

}  // namespace flitcast::conformance
