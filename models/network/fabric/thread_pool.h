// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// Runs the cycles of several partitions, one thread each, with a barrier after every cycle: no
/// partition starts a cycle before all have finished the previous one. A single partition runs in
/// the caller's thread without any locking.
///
/// Threads wait at the barrier by spinning briefly and then sleeping, because a waiting thread may
/// occupy the core that the last thread needs. With more threads than cores, threads do not spin.
class ThreadPool {
 public:
  /// Runs a number of cycles of a partition from the given cycle on; called from that partition's
  /// thread.
  using Tick = std::function<void(std::size_t partition, Cycle, std::uint32_t cycles)>;
  /// @param between  Called after every cycle by one thread while the others wait; may be empty.
  /// @param stride   The largest number of cycles in one call of `tick`, if there is one partition
  /// and no `between`.
  ThreadPool(std::size_t partitions, Tick tick, std::function<void(Cycle)> between,
             std::uint32_t stride = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs `cycles` cycles from `first` on. An exception in a partition ends the batch and is
  /// rethrown here.
  void run(Cycle first, std::uint64_t cycles);

 private:
  void work(std::size_t partition);
  void run_alone(Cycle first, std::uint64_t cycles);
  void run_partition(std::size_t partition);
  void guarded(const std::function<void()>& action);
  void meet();

  static constexpr int kSpins = 1000;  // About a microsecond, well below what sleeping costs.

  const std::size_t partitions_;
  const int spins_;  // Polls of the barrier before a thread sleeps.
  const Tick tick_;
  const std::function<void(Cycle)> between_;
  const std::uint32_t stride_;

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::uint64_t batch_ = 0;  // Guarded by mutex_, as are the next three members.
  bool quit_ = false;
  Cycle first_{};
  std::uint64_t cycles_ = 0;

  std::atomic<std::size_t> waiting_{0};
  std::atomic<std::uint64_t> meetings_{0};
  std::mutex meeting_mutex_;
  std::condition_variable met_;
  std::atomic<std::size_t> sleepers_{0};  // Threads that wait for met_, or are about to.
  std::atomic<bool> failed_{false};
  // The value of failed_ at the last barrier, so that all partitions stop after the same cycle.
  bool stop_ = false;
  std::exception_ptr failure_;  // Guarded by mutex_.
};

}  // namespace flitcast
