// SPDX-License-Identifier: Apache-2.0
// A shared library elsewhere that contains a network: its code has to be position independent.
#include <flitcast/fabric.h>

#include <memory>

namespace {

struct Network {
  flitcast::Grid mesh = flitcast::mesh({2, 2});
  flitcast::DimensionOrder routing{mesh, {}};
  flitcast::Fabric fabric{"fabric", mesh, routing, flitcast::NetworkParams{}};
};

}  // namespace

extern "C" void* make_network() { return std::make_unique<Network>().release(); }
