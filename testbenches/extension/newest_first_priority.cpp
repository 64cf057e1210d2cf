// SPDX-License-Identifier: Apache-2.0
// A user's queue priority: the packet that was created last leaves first.
#include "extension.h"

namespace {

using namespace flitcast;

class NewestFirst : public QueuePriority {
 public:
  NewestFirst(const Section&, const QueuePriorityContext&) {}

  std::uint32_t rank(const QueueEntry& entry) const override {
    return ~static_cast<std::uint32_t>(index(entry.packet));
  }
};

}  // namespace

flitcast::QueuePriorityEntry newest_first_priority() {
  return {{"newest_first", "The packet that its node created last.", {}, makes<NewestFirst>()}};
}
