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

/// Runs the cycles of several partitions, one thread each, which meet after every window of cycles:
/// no partition starts a window before all have finished the previous one. Partition 0 runs in the
/// caller's thread.
///
/// Threads wait for others by spinning briefly and then sleeping, because a waiting thread may
/// occupy the core that the last thread needs. With more threads than cores, threads do not spin.
class ThreadPool {
 public:
  /// Runs a number of cycles of a partition from the given cycle on; called from that partition's
  /// thread.
  using Tick = std::function<void(std::size_t partition, Cycle, std::uint32_t cycles)>;
  /// @param between  Called after every cycle in the caller's thread while the others wait; windows
  /// are then of one cycle. May be empty.
  /// @param window   The number of cycles of a call of `tick`; the last one may have fewer.
  ThreadPool(std::size_t partitions, Tick tick, std::function<void(Cycle)> between,
             std::uint32_t window = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Runs `cycles` cycles from `first` on. An exception in a partition ends the batch and is
  /// rethrown here.
  void run(Cycle first, std::uint64_t cycles);

 private:
  void work(std::size_t partition);
  void run_partition(std::size_t partition, Cycle first, std::uint64_t cycles);
  template <class Action>
  void guarded(const Action& action);
  void meet(std::size_t partition, Cycle now);
  template <class Ready>
  void await(std::condition_variable& changed, const Ready& ready);
  void announce(std::condition_variable& changed);

  static constexpr int kSpins = 1000;  // About a microsecond, well below what sleeping costs.

  const std::size_t partitions_;
  const int spins_;  // Polls of the barrier before a thread sleeps.
  const Tick tick_;
  const std::function<void(Cycle)> between_;
  const std::uint32_t window_;

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::uint64_t batch_ = 0;  // Guarded by mutex_, as are the next three members.
  bool quit_ = false;
  Cycle first_{};
  std::uint64_t cycles_ = 0;

  std::atomic<std::size_t> waiting_{0};  // Partitions but the first that have ended the window.
  std::atomic<std::uint64_t> meetings_{0};
  std::mutex meeting_mutex_;
  std::condition_variable all_wait_;
  std::condition_variable met_;
  std::atomic<std::size_t> sleepers_{0};  // Threads that wait for a change, or are about to.
  std::atomic<bool> failed_{false};
  // The value of failed_ at the last meeting, so that all partitions stop after the same window.
  bool stop_ = false;
  std::exception_ptr failure_;  // Guarded by mutex_.
};

}  // namespace flitcast
