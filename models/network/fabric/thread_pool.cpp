// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/thread_pool.h"

#include <algorithm>
#include <utility>

namespace flitcast {

ThreadPool::ThreadPool(std::size_t partitions, Tick tick, std::function<void(Cycle)> between,
                       std::uint32_t window)
    : partitions_(partitions),
      spins_(partitions <= std::thread::hardware_concurrency() ? kSpins : 0),
      tick_(std::move(tick)),
      between_(std::move(between)),
      window_(between_ ? 1 : window) {
  for (std::size_t partition = 1; partition < partitions_; ++partition) {
    workers_.emplace_back([this, partition] { work(partition); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(Cycle first, std::uint64_t cycles) {
  if (cycles == 0) return;
  if (partitions_ > 1) {
    const std::lock_guard<std::mutex> lock(mutex_);
    first_ = first;
    cycles_ = cycles;
    ++batch_;
    start_.notify_all();
  }
  run_partition(0, first, cycles);
  if (failed_) std::rethrow_exception(failure_);
}

void ThreadPool::work(std::size_t partition) {
  for (std::uint64_t done = 0;; ++done) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      start_.wait(lock, [&] { return quit_ || batch_ > done; });
      if (quit_) return;
    }
    run_partition(partition, first_, cycles_);
  }
}

void ThreadPool::run_partition(std::size_t partition, Cycle first, std::uint64_t cycles) {
  for (std::uint64_t done = 0; done < cycles && !stop_; done += window_) {
    const auto rest = std::min<std::uint64_t>(window_, cycles - done);
    guarded([&] { tick_(partition, first + done, static_cast<std::uint32_t>(rest)); });
    meet(partition, first + done);
  }
}

// A partition that fails still reaches the meeting; otherwise the others would wait forever.
template <class Action>
void ThreadPool::guarded(const Action& action) {
  try {
    action();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failed_) failure_ = std::current_exception();
    failed_ = true;
  }
}

// Partition 0 waits for all others, does what is to be done between two windows, and lets them go
// on.
void ThreadPool::meet(std::size_t partition, Cycle now) {
  if (partition != 0) {
    const std::uint64_t meeting = meetings_.load(std::memory_order_relaxed);
    if (waiting_.fetch_add(1) + 2 == partitions_) announce(all_wait_);
    return await(met_, [&] { return meetings_.load() != meeting; });
  }
  await(all_wait_, [&] { return waiting_.load() + 1 == partitions_; });
  if (between_ && !failed_) guarded([&] { between_(now); });
  waiting_.store(0, std::memory_order_relaxed);
  stop_ = failed_;
  meetings_.fetch_add(1);
  announce(met_);
}

template <class Ready>
void ThreadPool::await(std::condition_variable& changed, const Ready& ready) {
  for (int spin = 0; spin <= spins_; ++spin) {
    if (ready()) return;
  }
  std::unique_lock<std::mutex> lock(meeting_mutex_);
  ++sleepers_;
  changed.wait(lock, ready);
  --sleepers_;
}

// A thread that has not seen what is announced either waits for the change or still holds the lock.
void ThreadPool::announce(std::condition_variable& changed) {
  if (sleepers_.load() == 0) return;
  { const std::lock_guard<std::mutex> lock(meeting_mutex_); }
  changed.notify_all();
}

}  // namespace flitcast
