// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "collective/algorithms.h"
#include "collective/check_claim.h"
#include "collective/refusal.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Sizes = std::vector<std::size_t>;

Verification verified_on_trail(const Sizes& sizes) {
  const Grid grid = torus(sizes);
  const Verification verification = verify_gossip(grid, zigzag_trail_gossip(grid), 1);
  CHECK(verification.transmissions == grid.node_count() * (grid.node_count() - 1));
  CHECK(verification.duplicates == 0);
  return verification;
}

std::string refusal_of_trail(const Grid& grid) {
  const PreconditionError error = flitcast::refusal([&] { zigzag_trail_gossip(grid); });
  CHECK(error.subject() == PreconditionError::Subject::kTopology);
  return error.what();
}

}  // namespace

// Cases P104 to P109 of the specification, which allows fewer rounds.
TEST_CASE("one chunk a node goes along zigzag trails in the published rounds", "[collective]") {
  CHECK(verified_on_trail({4, 4}).rounds == 6);
  CHECK(verified_on_trail({4, 5}).rounds == 7);
  CHECK(verified_on_trail({6, 7}).rounds == 14);
  CHECK(verified_on_trail({3, 3}).rounds == 4);
  CHECK(verified_on_trail({5, 5}).rounds == 10);
  // Exchanging rows and columns saves one of 8 rounds.
  CHECK(verified_on_trail({5, 4}).rounds == 7);
}

TEST_CASE("two even sizes take a quarter of the nodes and half the smaller size", "[collective]") {
  for (std::size_t n1 = 4; n1 <= 10; n1 += 2) {
    for (std::size_t n2 = 4; n2 <= 10; n2 += 2) {
      CHECK(verified_on_trail({n1, n2}).rounds == (n1 * n2 / 2 + std::min(n1, n2) + 1) / 2);
    }
  }
}

// The range that the specification verified: sizes 3 to 11 in each dimension.
TEST_CASE("zigzag trails serve every torus of two dimensions without duplicates", "[collective]") {
  for (std::size_t n1 = 3; n1 <= 11; ++n1) {
    for (std::size_t n2 = 3; n2 <= 11; ++n2) {
      CHECK(verified_on_trail({n1, n2}).rounds == verified_on_trail({n2, n1}).rounds);
    }
  }
}

TEST_CASE("the printed bound of theorem 2 holds up to eight columns", "[collective]") {
  for (std::size_t n1 = 3; n1 <= 11; ++n1) {
    for (std::size_t n2 = 3; n2 <= 8; ++n2) {
      CHECK(verified_on_trail({n1, n2}).rounds <= (n1 * n2 + 2 * n1 + 4 + 3) / 4);
    }
  }
}

TEST_CASE("long odd rows cost more than theorem 2 prints, but what the formula says",
          "[collective]") {
  CHECK(verified_on_trail({3, 21}).rounds == 22);  // (23 * 4 / 2 - 2) / 2; the paper prints 19.
  // (21 * 18 / 2 - 2) / 2 rounded up; the paper prints 91.
  CHECK(verified_on_trail({17, 19}).rounds == 94);
}

// Cases P110 to P112 and P114, and the other sizes that the specification verified.
TEST_CASE("zigzag trails fill three and four dimensions in P/(2d) + P/(2 n_1) rounds",
          "[collective]") {
  CHECK(verified_on_trail({3, 3, 3}).rounds == 9);
  CHECK(verified_on_trail({4, 3, 3}).rounds == 11);  // 21 positions
  CHECK(verified_on_trail({5, 3, 3}).rounds == 12);
  CHECK(verified_on_trail({6, 3, 3}).rounds == 14);  // 27 positions
  CHECK(verified_on_trail({7, 3, 3}).rounds == 15);
  CHECK(verified_on_trail({4, 3, 6}).rounds == 21);
  CHECK(verified_on_trail({5, 3, 6}).rounds == 24);
  CHECK(verified_on_trail({4, 6, 6}).rounds == 42);
  CHECK(verified_on_trail({4, 4, 4, 4}).rounds == 64);
}

// The sizes include cases P113 and P115 of the specification.
TEST_CASE("zigzag trails refuse sizes that they do not close on, and name the nearest that work",
          "[collective]") {
  CHECK(refusal_of_trail(torus({4, 6, 3})) ==
        "in 3 dimensions the zigzag trails close, and come by every node, only where the second "
        "size is a multiple of 3 and the third a multiple of the second, not on torus 4x6x3; "
        "use torus 4x3x3 or torus 4x6x6");
  CHECK(refusal_of_trail(torus({4, 6, 9})).find("use torus 4x3x9, torus 4x6x6 or torus 4x9x9") !=
        std::string::npos);
  CHECK(refusal_of_trail(torus({5, 3, 4})).find("use torus 5x3x3") != std::string::npos);
  CHECK(refusal_of_trail(torus({5, 5, 5})).find("use torus 5x6x6") != std::string::npos);
  CHECK(refusal_of_trail(torus({4, 8, 4, 8})).find("use torus 4x4x4x8 or torus 4x8x8x8") !=
        std::string::npos);
}

TEST_CASE("zigzag trails refuse four dimensions of first size above 4", "[collective]") {
  const std::string text = refusal_of_trail(torus({5, 4, 4, 4}));
  CHECK(text.find("the first size is 4") != std::string::npos);
  CHECK(text.find("use torus 4x4x4x4") != std::string::npos);
}

TEST_CASE("zigzag trails refuse sizes on which they are not verified", "[collective]") {
  CHECK(refusal_of_trail(torus({3, 3, 3, 3, 3})).find("two to four dimensions") !=
        std::string::npos);
  CHECK(refusal_of_trail(mesh({4, 4})).find("use torus 4x4") != std::string::npos);
  CHECK(refusal_of_trail(torus({3, 2})).find("use torus 3x3") != std::string::npos);
  CHECK(refusal_of_trail(mesh({4, 4, 4})).find("use torus 4x3x3") != std::string::npos);
  CHECK(refusal_of_trail(torus({4, 4, 2, 4})).find("use torus 4x4x4x4") != std::string::npos);
  CHECK(refusal_of_trail(ring(9)).find("two to four dimensions") != std::string::npos);
  CHECK(refusal_of_trail(mesh({3, 3, 3, 3, 3})).find("two to four dimensions") !=
        std::string::npos);
}

TEST_CASE("zigzag trails refuse a torus too large for memory", "[collective]") {
  CHECK(refusal_of_trail(torus({128, 129})).find("use at most 16384 nodes") != std::string::npos);
}
