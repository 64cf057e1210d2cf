// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/thread_pool.h"

#include <utility>

namespace flitcast {

ThreadPool::ThreadPool(std::size_t partitions, Tick tick, std::function<void(Cycle)> between,
                       std::uint32_t stride)
    : partitions_(partitions),
      spins_(partitions <= std::thread::hardware_concurrency() ? kSpins : 0),
      tick_(std::move(tick)),
      between_(std::move(between)),
      stride_(between_ ? 1 : stride) {
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
  if (partitions_ == 1) return run_alone(first, cycles);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    first_ = first;
    cycles_ = cycles;
    ++batch_;
  }
  start_.notify_all();
  run_partition(0);
  if (failed_) std::rethrow_exception(failure_);
}

void ThreadPool::run_alone(Cycle first, std::uint64_t cycles) {
  for (std::uint64_t done = 0; done < cycles; done += stride_) {
    const std::uint64_t rest = cycles - done;
    tick_(0, first + done, rest < stride_ ? static_cast<std::uint32_t>(rest) : stride_);
    if (between_) between_(first + done);
  }
}

void ThreadPool::work(std::size_t partition) {
  for (std::uint64_t done = 0;; ++done) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      start_.wait(lock, [&] { return quit_ || batch_ > done; });
      if (quit_) return;
    }
    run_partition(partition);
  }
}

void ThreadPool::run_partition(std::size_t partition) {
  const Cycle first = first_;
  const std::uint64_t cycles = cycles_;
  for (std::uint64_t c = 0; c < cycles && !stop_; ++c) {
    guarded([&] { tick_(partition, first + c, 1); });
    meet();
    if (!between_) continue;
    if (partition == 0) guarded([&] { between_(first + c); });
    meet();
  }
}

// A partition that fails still reaches every barrier of the cycle; otherwise the others would wait
// forever.
void ThreadPool::guarded(const std::function<void()>& action) {
  try {
    action();
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!failed_) failure_ = std::current_exception();
    failed_ = true;
  }
}

void ThreadPool::meet() {
  const std::uint64_t meeting = meetings_.load(std::memory_order_relaxed);
  if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == partitions_) {
    waiting_.store(0, std::memory_order_relaxed);
    stop_ = failed_;
    meetings_.fetch_add(1);
    if (sleepers_.load() == 0) return;
    // A thread that has not seen this barrier either waits for met_ or still holds the lock.
    { const std::lock_guard<std::mutex> lock(meeting_mutex_); }
    met_.notify_all();
    return;
  }
  for (int spin = 0; spin < spins_; ++spin) {
    if (meetings_.load(std::memory_order_acquire) != meeting) return;
  }
  std::unique_lock<std::mutex> lock(meeting_mutex_);
  ++sleepers_;
  met_.wait(lock, [&] { return meetings_.load() != meeting; });
  --sleepers_;
}

}  // namespace flitcast
