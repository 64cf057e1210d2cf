// SPDX-License-Identifier: Apache-2.0
#include "router/allocator.h"

#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Pairs = std::set<std::pair<unsigned, unsigned>>;

constexpr AllocatorKind kAllocatorKinds[] = {
    AllocatorKind::kInputFirst, AllocatorKind::kOutputFirst, AllocatorKind::kWavefront};

RouterOptions options_of(AllocatorKind kind, unsigned iterations) {
  RouterOptions options;
  options.allocator = kind;
  options.iterations = iterations;
  return options;
}

/// An allocator with its own memory.
class Matcher {
 public:
  Matcher(const RouterOptions& options, unsigned requesters, unsigned resources)
      : storage_(1U << 16),
        arena_(storage_.data()),
        allocator_(options, requesters, resources, arena_) {}
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  template <class... Rank>
  Pairs operator()(const Pairs& requests, const Rank&... rank) {
    for (const auto& [requester, resource] : requests) allocator_.request(requester, resource);
    Pairs granted;
    allocator_.allocate(
        [&](unsigned requester, unsigned resource) {
          granted.insert({requester, resource});
        },
        rank...);
    return granted;
  }

 private:
  std::vector<std::byte> storage_;
  detail::BumpAllocator arena_;
  Allocator<2> allocator_;
};

Pairs random_requests(std::mt19937& random, unsigned requesters, unsigned resources) {
  const unsigned percent = static_cast<unsigned>(random() % 100);
  Pairs requests;
  for (unsigned r = 0; r < requesters; ++r) {
    for (unsigned c = 0; c < resources; ++c) {
      if (random() % 100 < percent) requests.insert({r, c});
    }
  }
  return requests;
}

bool is_matching(const Pairs& pairs, const Pairs& requests) {
  std::set<unsigned> requesters;
  std::set<unsigned> resources;
  for (const auto& pair : pairs) {
    if (requests.count(pair) == 0) return false;
    if (!requesters.insert(pair.first).second || !resources.insert(pair.second).second)
      return false;
  }
  return true;
}

bool is_maximal(const Pairs& pairs, const Pairs& requests) {
  for (const auto& request : requests) {
    bool blocked = false;
    for (const auto& pair : pairs) {
      blocked = blocked || pair.first == request.first || pair.second == request.second;
    }
    if (!blocked) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("an allocator grants requests only, and at most one to each partner", "[router]") {
  std::mt19937 random(1);
  for (const AllocatorKind kind : kAllocatorKinds) {
    for (const unsigned iterations : {1U, 2U, 5U}) {
      Matcher match(options_of(kind, iterations), 70, 90);
      for (int n = 0; n < 50; ++n) {
        const Pairs requests = random_requests(random, 70, 90);
        const Pairs granted = match(requests);
        REQUIRE(is_matching(granted, requests));
        REQUIRE(granted.empty() == requests.empty());
      }
    }
  }
}

TEST_CASE("a wavefront, or enough iterations, leaves no requester that could have a partner",
          "[router]") {
  std::mt19937 random(2);
  for (const AllocatorKind kind : kAllocatorKinds) {
    Matcher match(options_of(kind, 9), 9, 7);
    for (int n = 0; n < 300; ++n) {
      const Pairs requests = random_requests(random, 9, 7);
      REQUIRE(is_maximal(match(requests), requests));
    }
  }
}

TEST_CASE("the request of the lowest rank of all is granted by either side that picks first",
          "[router]") {
  std::mt19937 random(3);
  for (const AllocatorKind kind : {AllocatorKind::kInputFirst, AllocatorKind::kOutputFirst}) {
    Matcher match(options_of(kind, 1), 70, 90);
    for (unsigned n = 0; n < 100; ++n) {
      Pairs requests = random_requests(random, 70, 90);
      const std::pair<unsigned, unsigned> first{n % 70, n * 7 % 90};
      requests.insert(first);
      const Pairs granted = match(requests, [&](unsigned requester, unsigned resource) {
        return requester == first.first && resource == first.second ? 256ULL : 512ULL;
      });
      REQUIRE(is_matching(granted, requests));
      REQUIRE(granted.count(first) == 1);
    }
  }
}

TEST_CASE("the side that picks first and the number of iterations decide how many find a partner",
          "[router]") {
  // Both requesters pick resource 0, though only requester 1 requests resource 1.
  const Pairs requests{{0, 0}, {1, 0}, {1, 1}};
  const Pairs both{{0, 0}, {1, 1}};
  CHECK(Matcher(options_of(AllocatorKind::kInputFirst, 1), 2, 2)(requests) == Pairs{{0, 0}});
  CHECK(Matcher(options_of(AllocatorKind::kInputFirst, 2), 2, 2)(requests) == both);
  CHECK(Matcher(options_of(AllocatorKind::kOutputFirst, 1), 2, 2)(requests) == both);
  // Both resources pick requester 0.
  const Pairs turned{{0, 0}, {0, 1}, {1, 1}};
  CHECK(Matcher(options_of(AllocatorKind::kOutputFirst, 1), 2, 2)(turned) == Pairs{{0, 0}});
  CHECK(Matcher(options_of(AllocatorKind::kOutputFirst, 2), 2, 2)(turned) == both);
}

TEST_CASE("a persistent request is granted in the end, whatever the other requests", "[router]") {
  constexpr unsigned kMembers = 5;
  std::mt19937 random(3);
  for (const AllocatorKind kind : kAllocatorKinds) {
    for (const unsigned iterations : {1U, 3U}) {
      Matcher match(options_of(kind, iterations), kMembers, kMembers);
      const Pairs requests = random_requests(random, kMembers, kMembers);
      std::map<std::pair<unsigned, unsigned>, unsigned> waited;
      for (unsigned n = 0; n < 1000; ++n) {
        const Pairs granted = match(requests);
        for (const auto& request : requests) {
          waited[request] = granted.count(request) != 0 ? 0 : waited[request] + 1;
          REQUIRE(waited[request] <= 2 * kMembers * kMembers);  // The bound of McKeown, 1999.
        }
      }
    }
  }
}
