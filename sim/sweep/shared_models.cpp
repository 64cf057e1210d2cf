// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/shared_models.h"

namespace flitcast {

Model* SharedModels::like(const Configuration& configuration, const ExperimentOptions& options) {
  constexpr std::size_t kMost = 4;
  const std::string key = network_key(configuration);
  if (networks_.size() == kMost && networks_.count(key) == 0) networks_.clear();
  last_ = &networks_.try_emplace(key, Network{configuration}).first->second;
  if (!last_->steady) return nullptr;
  if (!last_->model) {
    last_->model =
        make_model(last_->configuration, options.unsafe, memory_limit(options.memory_limit));
  }
  return &*last_->model;
}

}  // namespace flitcast
