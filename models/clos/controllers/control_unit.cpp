// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/control_unit.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

namespace flitcast::clos {

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

void CommitUnit::edge(const Beat* beat, const Requester& requester, DestinationStore& store) {
  done_ = beat != nullptr && beat->last && !beat->fail;
  if (beat == nullptr) return;
  held_.push_back(*beat);
  if (done_) {
    for (const Beat& one : held_) {
      const bool with_link = !requester.held.test(index(one.middle));
      store.take({requester.input_switch, one.middle, one.served}, with_link);
    }
  }
  if (beat->last) held_.clear();
}

ControlUnit::ControlUnit(const ControllerDesign& design, const ControllerParams& params,
                         DestinationStore store)
    : controller_(design, params), store_(std::move(store)) {
  const BitMatrix& sets = store_.destination_sets();
  if (sets.rows() != params.m || sets.columns() != params.r) {
    throw std::invalid_argument(
        fmt::format("a store of {} middle and {} output switches for a controller of {} and {}",
                    sets.rows(), sets.columns(), params.m, params.r));
  }
}

void ControlUnit::reset() {
  controller_.reset();
  commit_ = {};
  store_.clear();
}

// The controller is clocked last but sees the store as it was before the edge: while it reads the
// destination sets neither a commit nor a release writes them. Only what it loads is new.
void ControlUnit::edge(const Request* request, const Release* release) {
  const bool accepts = ready();
  commit_.edge(controller_.beat_valid() ? &controller_.beat() : nullptr, requester_, store_);
  if (accepts && release != nullptr) store_.release(release->leg, release->with_link);
  BitSet allowed;
  std::optional<ControllerOffer> offer;
  if (accepts && request != nullptr) {
    allowed = accept(*request);
    offer.emplace(ControllerOffer{request->wanted, allowed});
  }
  controller_.edge(store_.destination_sets(), true, offer ? &*offer : nullptr);
}

BitSet ControlUnit::accept(const Request& request) {
  const BitMatrix& links = store_.available();
  if (request.input_switch >= links.rows()) {
    throw std::invalid_argument(
        fmt::format("a request from input switch {} of {}", request.input_switch, links.rows()));
  }
  const BitSet available = links.set_of(request.input_switch);
  BitSet held = request.held != nullptr ? *request.held : BitSet(links.columns());
  if (held.size() != available.size()) {
    throw std::invalid_argument(fmt::format(
        "a request that holds some of {} middle switches, of {}", held.size(), available.size()));
  }
  BitSet unheld = held;
  unheld &= available;
  if (unheld.any()) {
    throw std::invalid_argument(
        fmt::format("a request holds middle switch {}, whose link from input switch {} is free",
                    unheld.first(), request.input_switch));
  }
  BitSet allowed = held;
  if (request.with_link) allowed |= available;
  requester_ = {request.input_switch, std::move(held)};
  return allowed;
}

}  // namespace flitcast::clos
