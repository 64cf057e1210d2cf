// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "config/param.h"
#include "config/section.h"
#include "traffic/injection.h"
#include "traffic/packet_lengths.h"

namespace flitcast {

/// When nodes send and how long their packets are: what all random workloads have in common.
struct Load {
  std::unique_ptr<Injection> injection;
  PacketLengths lengths;
};

/// Reads load, injection, packet_length and packet_weights. `also` makes the rest of the workload;
/// the problems of both are thrown as one ConfigError.
Load make_load(const Section& workload, const std::function<void()>& also);

/// Those keys.
std::vector<Param> load_params();

}  // namespace flitcast
