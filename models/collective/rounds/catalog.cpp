// SPDX-License-Identifier: Apache-2.0
#include "collective/rounds/catalog.h"

#include <algorithm>

namespace flitcast {

const Catalog<CatalogEntry<RoundMethod>>& round_methods() {
  static const Catalog<CatalogEntry<RoundMethod>> catalog{
      {"multicast_rounds",
       "Clos networks under central control: rounds of multicasts that the network copies.",
       {},
       RoundMethod::kMulticast},
      {"unicast_rounds",
       "Any network: rounds of messages from one node to one node.",
       {},
       RoundMethod::kUnicast},
  };
  return catalog;
}

const std::vector<RoundOperationEntry>& round_operations() {
  static const std::vector<RoundOperationEntry> entries{
      {"broadcast", RoundOperation::kBroadcast},
      {"multicast", RoundOperation::kMulticast},
      {"scatter", RoundOperation::kScatter},
      {"gather", RoundOperation::kGather},
      {"gossip", RoundOperation::kGossip},
      {"all_to_all_scatter", RoundOperation::kAllToAllScatter},
      {"reduce", RoundOperation::kReduce},
      {"all_reduce", RoundOperation::kAllReduce},
      {"scan", RoundOperation::kScan},
      {"barrier", RoundOperation::kBarrier},
  };
  return entries;
}

const RoundOperationEntry* find_round_operation(const std::string& name) {
  const std::vector<RoundOperationEntry>& all = round_operations();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const RoundOperationEntry& entry) { return name == entry.name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace flitcast
