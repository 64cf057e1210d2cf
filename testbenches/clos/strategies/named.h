// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "clos/catalog.h"

namespace flitcast::clos {

/// A strategy of the catalog by its name, for m middle and r output switches.
class Named : public Strategy {
 public:
  Named(const char* name, std::size_t m, std::size_t r, std::size_t pass_limit = 0,
        std::uint64_t seed = 1)
      : strategy_(strategies().find(name)->make(
            {{static_cast<std::uint32_t>(m), 1, 1, 1, static_cast<std::uint32_t>(r)},
             pass_limit,
             seed})) {}

  void select(const SelectionRequest& request, Selection& selection) override {
    strategy_->select(request, selection);
  }

 private:
  std::unique_ptr<Strategy> strategy_;
};

}  // namespace flitcast::clos
