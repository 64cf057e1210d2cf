// SPDX-License-Identifier: Apache-2.0
#include "conformance/named_network.h"

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "collective/precondition.h"
#include "conformance/text.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast::conformance {
namespace {

std::vector<std::size_t> sizes_in(const std::string& parentheses) {
  if (parentheses.size() < 2 || parentheses.front() != '(' || parentheses.back() != ')') {
    throw std::invalid_argument("\"" + parentheses + "\" are no sizes; write (4,4)");
  }
  std::vector<std::size_t> sizes;
  for (const std::string& size : split(parentheses.substr(1, parentheses.size() - 2), ',')) {
    sizes.push_back(to_count(size));
  }
  return sizes;
}

/// A network in the notation of the table: K and Q with one number, M and T with sizes.
struct Network {
  char family = ' ';
  std::vector<std::size_t> sizes;
};

Network read_network(const std::string& name) {
  const char family = name.empty() ? ' ' : name.front();
  if (family == 'K' || family == 'Q') return {family, {to_count(name.substr(1))}};
  if (family == 'M' || family == 'T') return {family, sizes_in(name.substr(1))};
  throw std::invalid_argument("no network \"" + name + "\"");
}

std::unique_ptr<Topology> build(const Network& network) {
  switch (network.family) {
    case 'K':
      return std::make_unique<Complete>(network.sizes.front());
    case 'Q':
      return std::make_unique<Hypercube>(network.sizes.front());
    case 'M':
      return std::make_unique<Grid>(mesh(network.sizes));
    default:
      return std::make_unique<Grid>(torus(network.sizes));
  }
}

}  // namespace

std::unique_ptr<Topology> network_named(const std::string& name) {
  const Network network = read_network(name);
  try {
    return build(network);
  } catch (const std::invalid_argument& error) {
    throw PreconditionError(PreconditionError::Subject::kTopology, name + ": " + error.what(),
                            "choose other sizes");
  }
}

}  // namespace flitcast::conformance
