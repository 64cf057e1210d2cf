// SPDX-License-Identifier: Apache-2.0
// A user's traffic pattern: every node sends to the node whose number is a fixed stride higher.
#include "extension.h"

namespace {

using namespace flitcast;

class Stride : public Pattern {
 public:
  Stride(const Section& workload, const Topology& topology)
      : nodes_(topology.node_count()), stride_(workload.count("stride")) {}

  NodeId destination(NodeId source, Random&) const override {
    return NodeId{static_cast<std::uint32_t>((index(source) + stride_) % nodes_)};
  }

 private:
  std::size_t nodes_;
  std::size_t stride_;
};

}  // namespace

flitcast::PatternEntry stride_pattern() {
  return {"stride",
          "the node a stride further on",
          {Param::integer("stride", "nodes", "How far on.", 0, 1 << 24).defaults_to(1)},
          makes<Stride>(),
          {"", "stride: 3"}};
}
