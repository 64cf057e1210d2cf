// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "routing/routing.h"
#include "topology/grid.h"

namespace flitcast {

struct Param;
class Section;
struct RoutingContext;

/// The use of virtual channels in a wrapped dimension, to avoid cyclic dependencies. The lower
/// class is the first V - V/2 of V virtual channels, the upper class the last V/2.
///
/// All rules saturate at about the same load, but accept different loads beyond it: under
/// kDallySeitz and kDateline, where packets change their class in flight, all packets of a ring
/// wait in one queue that ends where the class changes; under kDallySeitzFixed there are two
/// queues.
/// The manual has figures (guide/routing.md).
enum class VcClasses {
  kNone,             ///< Any VC. Deadlock-free only where no wrapped dimension is larger than 3.
  kDallySeitzFixed,  ///< Upper in the whole dimension if the path wraps around in that dimension,
                     ///< else lower.
  kDallySeitz,       ///< Upper while the remaining path in the dimension, this hop included, wraps.
  kDateline,         ///< Lower at the start of each dimension, upper from the wrap-around hop on.
};

/// Dimension-order routing on grids: a packet finishes one dimension, then the next (XY on a 2-D
/// mesh). Minimal and deterministic; takes the shorter direction in wrapped dimensions.
///
/// VCs: one suffices in meshes and where no wrapped dimension is larger than 3; else two and a rule
/// other than kNone. The rule holds in wrapped dimensions; meshes, injection and ejection use all
/// VCs.
/// Sources: Sullivan and Bashkow, "A Large Scale, Homogeneous, Fully Distributed Parallel Machine",
/// ISCA 1977; Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
/// Networks", IEEE Trans. Computers 36(5), 1987.
class DimensionOrder : public OnAllVcs<Routing> {
 public:
  struct Params {
    bool descending = false;  ///< The highest dimension first (YX) instead of dimension 0.
    /// True: half way round a wrapped dimension, RouteRequest::ties decides the direction; false:
    /// the direction is plus.
    bool tie_by_coin = true;
    VcClasses classes = VcClasses::kDallySeitzFixed;
    std::size_t virtual_channels = 2;  ///< 1 to kMaxVirtualChannels.
    std::size_t first_vc = 0;  ///< The lowest VC, for routings that share the VCs of a port.
  };

  /// Throws std::invalid_argument for a VC number out of range, and for a single VC with a rule
  /// other than kNone on a grid that wraps. `grid` need not outlive the routing.
  DimensionOrder(const Grid& grid, const Params& params);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return reads_arrival_; }
  std::size_t tie_dimensions() const override { return tie_dimensions_; }

 private:
  struct Dimension {
    std::uint32_t number = 0;
    std::uint32_t size = 1;
    bool wraps = false;
  };

  Route hop(std::uint32_t dimension, bool minus) const {
    return {to_id<PortId>(2 * dimension + (minus ? 1 : 0)), all_};
  }
  Route torus_hop(const RouteRequest& request, const Dimension& dimension, std::uint32_t here,
                  std::uint32_t there) const;
  bool upper_class(const RouteRequest& request, const Dimension& dimension, std::uint32_t here,
                   std::uint32_t there, bool minus) const;

  std::size_t dimensions_;
  std::vector<Dimension> order_;
  std::vector<std::uint32_t> coordinates_;  // Per node, its coordinates in the order of order_.
  PortId local_;
  VcClasses classes_;
  bool reads_arrival_ = false;
  std::uint8_t tie_mask_;
  std::size_t tie_dimensions_ = 0;
  VcSet lower_;
  VcSet upper_;
};

/// The rule that routing.vc_classes names, for packets that use `channels` VCs exclusively; with
/// one VC there are no classes.
/// Throws ConfigError if one VC can deadlock, unless RoutingContext::unsafe.
VcClasses vc_classes_of(const Section& routing, const RoutingContext& context,
                        std::size_t channels);

/// True if a single VC has cyclic dependencies: some wrapped size exceeds 3.
bool needs_classes(const Grid& grid);

/// Declares the key routing.vc_classes.
Param vc_classes_param();

}  // namespace flitcast
