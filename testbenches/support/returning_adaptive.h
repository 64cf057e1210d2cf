// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routing/minimal_adaptive.h"

namespace flitcast {

/// Minimal adaptive routing on a mesh whose packets may return from the escape channel, the first
/// of two VCs, to the adaptive one, as Duato's theory allows if packets share no buffer. The
/// routers share buffers, so check_dependencies() finds cycles.
class ReturningAdaptive : public MinimalAdaptive {
 public:
  explicit ReturningAdaptive(const Grid& mesh) : MinimalAdaptive(mesh, {}) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    RouteRequest as_if_adaptive = request;
    as_if_adaptive.vc = VcId{1};
    MinimalAdaptive::alternatives(as_if_adaptive, alternatives);
  }
};

}  // namespace flitcast
