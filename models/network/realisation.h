// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "network/network.h"
#include "network/router_entry.h"

namespace flitcast {

/// Makes a network of routers of that kind.
using RealisationMaker = std::unique_ptr<Network> (*)(const RouterEntry& router,
                                                      const NetworkParts& parts);

/// What a network is built of in SystemC. Every realisation delivers every packet in the same
/// cycle, so that it changes no result but the time that a run takes.
struct Realisation : CatalogEntry<RealisationMaker> {
  /// What it cannot build, a sentence each; null: it builds all.
  std::vector<std::string> (*problems)(const RouterEntry& router, const Topology& topology,
                                       const NetworkParams& params) = nullptr;
  /// Whether there are signals, for NetworkParts::trace.
  bool has_signals = false;
};

/// The realisations that a user can name under run.realisation; the first is the fastest.
Catalog<Realisation>& realisations();

}  // namespace flitcast
