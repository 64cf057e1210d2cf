// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/thread_pool.h"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// Cycles that each partition has begun and ended.
struct Progress {
  explicit Progress(std::size_t partitions) : begun(partitions), ended(partitions) {}

  /// True if no partition is ahead of this window, as seen during a tick of `cycles` from `now` on.
  bool in_step(std::uint64_t now, std::uint32_t cycles) const {
    for (std::size_t r = 0; r < ended.size(); ++r) {
      if (ended[r] < now || begun[r] > now + cycles) return false;
    }
    return true;
  }
  bool all_ended(std::uint64_t now) const {
    for (std::size_t r = 0; r < ended.size(); ++r) {
      if (ended[r] != now + 1 || begun[r] != now + 1) return false;
    }
    return true;
  }

  std::vector<std::atomic<std::uint64_t>> begun;
  std::vector<std::atomic<std::uint64_t>> ended;
};

}  // namespace

TEST_CASE("no partition begins a window before all have ended the previous one", "[network]") {
  const std::size_t partitions =
      GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{63});
  const std::uint32_t window = GENERATE(1U, 2U, 7U);
  Progress progress(partitions);
  std::atomic<unsigned> breaches{0};
  ThreadPool thread_pool(
      partitions,
      [&](std::size_t partition, Cycle now, std::uint32_t cycles) {
        if (progress.begun[partition].fetch_add(cycles) != index(now)) ++breaches;
        if (!progress.in_step(index(now), cycles)) ++breaches;
        progress.ended[partition] += cycles;
      },
      nullptr, window);
  thread_pool.run(Cycle{0}, 300);
  thread_pool.run(Cycle{300}, 0);
  thread_pool.run(Cycle{300}, 1);
  thread_pool.run(Cycle{301}, 99);
  CHECK(breaches == 0);
  CHECK(progress.all_ended(399));
}

TEST_CASE("between two cycles the caller's thread works while the partitions wait", "[network]") {
  const std::size_t partitions = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{4});
  Progress progress(partitions);
  const std::thread::id caller = std::this_thread::get_id();
  std::uint64_t calls = 0;  // Not atomic: one thread writes it while the partitions wait.
  std::atomic<unsigned> breaches{0};
  ThreadPool thread_pool(
      partitions,
      [&](std::size_t partition, Cycle now, std::uint32_t) {
        ++progress.begun[partition];
        if (calls != index(now)) ++breaches;
        ++progress.ended[partition];
      },
      [&](Cycle now) {
        if (!progress.all_ended(index(now)) || calls++ != index(now)) ++breaches;
        if (std::this_thread::get_id() != caller) ++breaches;
      });
  thread_pool.run(Cycle{0}, 200);
  CHECK(breaches == 0);
  CHECK(calls == 200);
}

TEST_CASE("partitions meet once per window, or once per cycle if there is work in between",
          "[network]") {
  const std::size_t partitions = GENERATE(std::size_t{1}, std::size_t{3});
  const bool between = GENERATE(false, true);
  using Calls = std::vector<std::pair<Cycle, std::uint32_t>>;
  std::vector<Calls> calls(partitions);
  ThreadPool thread_pool(
      partitions,
      [&](std::size_t partition, Cycle now, std::uint32_t cycles) {
        calls[partition].emplace_back(now, cycles);
      },
      between ? [](Cycle) {} : std::function<void(Cycle)>(), 3);
  thread_pool.run(Cycle{10}, 4);
  thread_pool.run(Cycle{14}, 3);
  const Calls windows = {{Cycle{10}, 3}, {Cycle{13}, 1}, {Cycle{14}, 3}};
  const Calls cycles = {{Cycle{10}, 1}, {Cycle{11}, 1}, {Cycle{12}, 1}, {Cycle{13}, 1},
                        {Cycle{14}, 1}, {Cycle{15}, 1}, {Cycle{16}, 1}};
  for (const Calls& of_one : calls) CHECK(of_one == (between ? cycles : windows));
}

// The failing partition waits until the others have begun the cycle, too.
TEST_CASE("what a partition throws reaches the caller, whichever thread it ran in", "[network]") {
  const std::size_t failing = GENERATE(std::size_t{0}, std::size_t{2});
  Progress progress(3);
  ThreadPool thread_pool(
      3,
      [&](std::size_t partition, Cycle now, std::uint32_t) {
        ++progress.begun[partition];
        if (partition != failing || now != Cycle{5}) return;
        while (progress.begun[0] < 6 || progress.begun[1] < 6 || progress.begun[2] < 6) {
          std::this_thread::yield();
        }
        throw std::out_of_range("buffer 7");
      },
      nullptr);
  CHECK_THROWS_AS(thread_pool.run(Cycle{0}, 100), std::out_of_range);
  for (const auto& begun : progress.begun) CHECK(begun == 6);
}

TEST_CASE("all partitions stop after the cycle in which one throws, however the threads run",
          "[network]") {
  for (int round = 0; round < 300; ++round) {  // About one round in a hundred exposes the race.
    ThreadPool thread_pool(
        3,
        [](std::size_t partition, Cycle now, std::uint32_t) {
          if (partition == 1 && now == Cycle{5}) throw std::out_of_range("partition 1");
        },
        nullptr);
    CHECK_THROWS_AS(thread_pool.run(Cycle{0}, 100), std::out_of_range);
  }
}

TEST_CASE("what is thrown between two cycles reaches the caller", "[network]") {
  const std::size_t partitions = GENERATE(std::size_t{1}, std::size_t{3});
  std::atomic<unsigned> ticks{0};
  ThreadPool thread_pool(
      partitions, [&](std::size_t, Cycle, std::uint32_t) { ++ticks; },
      [](Cycle now) {
        if (now == Cycle{9}) throw std::out_of_range("node 3");
      });
  CHECK_THROWS_AS(thread_pool.run(Cycle{0}, 100), std::out_of_range);
  CHECK(ticks == 10 * partitions);
}
