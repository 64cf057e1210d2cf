// SPDX-License-Identifier: Apache-2.0
#include "clos/controllers/controller.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flitcast::clos {
namespace {

const ControllerParams& checked(const ControllerParams& params) {
  if (params.m == 0 || params.r == 0) {
    throw std::invalid_argument("a controller needs at least one middle and one output switch");
  }
  if (params.pass_limit == 0 && !params.stop_without_progress) {
    throw std::invalid_argument(
        "a controller that does not test for progress never ends a blocked request; give it a "
        "pass limit");
  }
  return params;
}

}  // namespace

std::size_t left_by(const SelectionRequest& pass, std::size_t j) {
  const SetWord* busy = pass.busy.row(j);
  const SetWord* unsatisfied = pass.wanted.words();
  std::size_t count = 0;
  for (std::size_t w = 0; w < pass.busy.stride(); ++w) count += popcount(busy[w] & unsatisfied[w]);
  return count;
}

Controller::Controller(const ControllerDesign& design, const ControllerParams& params)
    : params_(checked(params)),
      search_(design.make_search(params.m, params.r)),
      unsatisfied_(params.r),
      available_(params.m) {
  beat_.served = BitSet(params.r);
}

void Controller::reset() {
  busy_ = false;
  ready_ = false;
  beat_valid_ = false;
}

void Controller::edge(const BitMatrix& store, bool beat_ready, const ControllerOffer* offer) {
  if (beat_ready) beat_valid_ = false;
  if (busy_) {
    const SelectionRequest pass{unsatisfied_, available_, store};
    if (!search_->scan(pass) && !beat_valid_) update(pass);
  } else if (ready_ && offer != nullptr) {
    load(*offer);
  }
  ready_ = !busy_;
}

void Controller::load(const ControllerOffer& offer) {
  if (offer.wanted.size() != params_.r || offer.available.size() != params_.m) {
    throw std::invalid_argument(
        fmt::format("a request of {} output and {} middle switches for a controller of {} and {}",
                    offer.wanted.size(), offer.available.size(), params_.r, params_.m));
  }
  unsatisfied_ = offer.wanted;
  available_ = offer.available;
  passes_ = 0;
  busy_ = true;
  search_->begin();
}

void Controller::update(const SelectionRequest& pass) {
  const Choice choice = search_->choice(pass);
  beat_.served.clear();
  if (!choice.none()) {
    const SetWord* busy = pass.busy.row(choice.middle);
    beat_.middle = MiddleId(choice.middle);
    for (std::size_t w = 0; w < unsatisfied_.word_count(); ++w) {
      SetWord& unsatisfied = unsatisfied_.words()[w];
      beat_.served.words()[w] = unsatisfied & ~busy[w];
      unsatisfied &= busy[w];
    }
  }
  ++passes_;
  const bool done = unsatisfied_.none();
  const bool stuck = params_.stop_without_progress && beat_.served.none();
  const bool out_of_passes = !done && passes_ == params_.pass_limit;
  beat_.fail = choice.none() || stuck || out_of_passes;
  beat_.last = done || beat_.fail;
  beat_valid_ = true;
  busy_ = !beat_.last;
  if (busy_) search_->begin();
}

}  // namespace flitcast::clos
