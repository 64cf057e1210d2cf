// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/destination_store.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace flitcast::clos {

DestinationStore::DestinationStore(std::size_t m, std::size_t r1, std::size_t r2)
    : destination_sets_(m, r2), available_(r1, m) {
  clear();
}

DestinationStore::DestinationStore(BitMatrix destination_sets, BitMatrix available)
    : destination_sets_(std::move(destination_sets)), available_(std::move(available)) {
  if (destination_sets_.rows() != available_.columns()) {
    throw std::invalid_argument(
        fmt::format("destination sets of {} middle switches, links to {} of them",
                    destination_sets_.rows(), available_.columns()));
  }
}

void DestinationStore::clear() {
  destination_sets_ = BitMatrix(destination_sets_.rows(), destination_sets_.columns());
  const BitSet all = BitSet::full(available_.columns());
  for (std::size_t i = 0; i < available_.rows(); ++i) available_.assign(i, all);
}

void DestinationStore::take(const StoredLeg& leg, bool with_link) {
  const std::size_t j = index(leg.middle);
  SetWord* row = destination_sets_.row(j);
  SetWord taken = 0;
  for (std::size_t w = 0; w < destination_sets_.stride(); ++w) {
    taken |= row[w] & leg.served.words()[w];
    row[w] |= leg.served.words()[w];
  }
  if (taken != 0 || available_.test(leg.input_switch, j) != with_link) {
    throw std::logic_error(
        fmt::format("a route from input switch {} takes links of middle switch {} that carry a "
                    "connection, or holds one that carries none",
                    leg.input_switch, j));
  }
  available_.reset(leg.input_switch, j);
}

void DestinationStore::release(const StoredLeg& leg, bool with_link) {
  const std::size_t j = index(leg.middle);
  if (j >= destination_sets_.rows() || leg.input_switch >= available_.rows() ||
      leg.served.size() != destination_sets_.columns()) {
    throw std::invalid_argument(
        fmt::format("no links from input switch {} by middle switch {} to {} output switches",
                    leg.input_switch, j, leg.served.size()));
  }
  SetWord* row = destination_sets_.row(j);
  for (std::size_t w = 0; w < destination_sets_.stride(); ++w) row[w] &= ~leg.served.words()[w];
  if (with_link) available_.set(leg.input_switch, j);
}

}  // namespace flitcast::clos
