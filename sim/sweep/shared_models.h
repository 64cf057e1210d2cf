// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "config/configuration.h"
#include "sim/experiment/model.h"
#include "sim/host/run_options.h"

namespace flitcast {

/// Models that runs in child processes inherit, so that runs in equal networks share the topology,
/// the routing, the check for deadlock and the capacity. A model is made here only after a run in
/// such a network has had a result: a network that is invalid, too large or faulty fails in the
/// process of each of its runs. The last few networks are kept.
class SharedModels {
 public:
  /// The model whose parts a child process may take for a run of this configuration, as
  /// make_model() does; null if there is none.
  Model* like(const Configuration& configuration, const ExperimentOptions& options);

  /// Notes the result of the run for which like() was called last.
  void note(const nlohmann::ordered_json& result) {
    if (last_ != nullptr) last_->steady |= result.contains("capacity");
  }

 private:
  struct Network {
    Configuration configuration;
    bool steady = false;  ///< A run has had a result with a capacity.
    std::optional<Model> model{};
  };

  std::map<std::string, Network> networks_;  // By network_key().
  Network* last_ = nullptr;
};

}  // namespace flitcast
