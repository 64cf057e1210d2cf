// SPDX-License-Identifier: Apache-2.0
#include "permutation/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/random.h"

namespace flitcast {

namespace {

constexpr double kLargestSeed = 9007199254740991;  // 2^53 - 1, which every JSON reader keeps.
constexpr std::int64_t kIdle = -1;

NodeId node_of(std::size_t number) { return NodeId{static_cast<std::uint32_t>(number)}; }

Instance by_source(Instance instance) {
  std::stable_sort(instance.begin(), instance.end(),
                   [](const Transfer& a, const Transfer& b) { return a.from < b.from; });
  return instance;
}

[[noreturn]] void fail(const Section& workload, std::string what, std::string hint) {
  workload.fail("permutation", std::move(what), std::move(hint));
}

std::string selected(const Section& workload) { return workload.variant("permutation").name; }

// The seed of this repetition.
std::uint64_t seed_of(const Section& workload, const InstanceContext& context) {
  return static_cast<std::uint64_t>(workload.variant("permutation").numbers.front()) + context.run;
}

}  // namespace

std::size_t InstanceContext::places() const {
  return std::accumulate(grid.begin(), grid.end(), std::size_t{1}, std::multiplies<>());
}

Instance instance_of(const DestinationTable& table) {
  Instance instance;
  instance.reserve(table.size());
  for (const NodeId to : table) instance.push_back({node_of(instance.size()), to});
  return instance;
}

namespace {

/// Packets that come to column c along row r for the nodes below, in the order in which the
/// construction adds them; arrivals[t - 1] of them come in step t.
struct Crowd {
  std::vector<std::size_t> sources;
  std::vector<std::size_t> arrivals;
};

class CrowdMaker {
 public:
  CrowdMaker(std::size_t columns, std::size_t rows, std::size_t r, std::size_t c)
      : columns_(columns), r_(r), c_(c), most_(rows > r + 1 ? rows - 1 - r : 0) {}

  Crowd make() {
    for (std::size_t t = 1; crowd_.sources.size() < most_; ++t) {
      const std::size_t before = crowd_.sources.size();
      if (t <= c_) add(c_ - t, r_);
      if (t <= columns_ - 1 - c_) add(c_ + t, r_);
      if (r_ == 1) add_from_above(t - 1);
      if (crowd_.sources.size() == before) break;
      crowd_.arrivals.push_back(crowd_.sources.size() - before);
    }
    return std::move(crowd_);
  }

 private:
  // One packet a step comes down the column itself.
  void add_from_above(std::size_t distance) {
    if (distance <= c_) {
      add(c_ - distance, 0);
    } else if (distance <= columns_ - 1 - c_) {
      add(c_ + distance, 0);
    }
  }
  void add(std::size_t x, std::size_t y) {
    if (crowd_.sources.size() < most_) crowd_.sources.push_back(y * columns_ + x);
  }

  const std::size_t columns_;
  const std::size_t r_;
  const std::size_t c_;
  const std::size_t most_;
  Crowd crowd_;
};

// The queue takes what arrives in a step and sends one in the next.
std::size_t longest_queue(const Crowd& crowd) {
  std::size_t queue = 0;
  std::size_t longest = 0;
  for (const std::size_t arrivals : crowd.arrivals) {
    queue += arrivals;
    longest = std::max(longest, queue);
    --queue;
  }
  return longest;
}

}  // namespace

Instance worst_buffer(std::size_t columns, std::size_t rows) {
  Instance worst;
  std::size_t longest = 0;
  for (std::size_t r = 0; r < std::min<std::size_t>(2, rows); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const Crowd crowd = CrowdMaker(columns, rows, r, c).make();
      const std::size_t queue = longest_queue(crowd);
      if (queue <= longest) continue;
      longest = queue;
      worst.clear();
      for (const std::size_t source : crowd.sources) {
        worst.push_back({node_of(source), node_of((r + 1 + worst.size()) * columns + c)});
      }
    }
  }
  return by_source(worst);
}

Instance worst_dimension_order(std::size_t side) {
  const std::size_t half = side / 2;
  std::vector<std::pair<std::size_t, std::size_t>> sources;  // x and y, in the plane z = 0.
  for (std::size_t y = half; y-- > 0;) {
    for (std::size_t x = 0; x < side; ++x) sources.emplace_back(x, y);
  }
  const auto steps = [half](const std::pair<std::size_t, std::size_t>& source) {
    const auto [x, y] = source;
    return std::make_tuple((x > half ? x - half : half - x) + half - 1 - y, y);
  };
  std::stable_sort(sources.begin(), sources.end(),
                   [&](const auto& a, const auto& b) { return steps(a) < steps(b); });
  Instance instance;
  for (std::size_t y = side; y-- > half;) {
    for (std::size_t z = 0; z < side && instance.size() < sources.size(); ++z) {
      const auto [sx, sy] = sources[instance.size()];
      instance.push_back({node_of(sy * side + sx), node_of((z * side + y) * side + half)});
    }
  }
  return by_source(instance);
}

namespace {

// Of the bits of the places' numbers.
void require_bits(const Section& workload, const InstanceContext& context, std::size_t step) {
  const std::size_t places = context.places();
  if (is_power_of_two(places, step)) return;
  const std::size_t bits = bit_count(places) / step * step;
  fail(workload,
       fmt::format("{} permutes the {} of a number, but {} has {} places", selected(workload),
                   step == 1 ? "bits" : "halves of the bits", context.network, places),
       fmt::format("use {} or {} places", std::size_t{1} << bits, std::size_t{1} << (bits + step)));
}

bool is_square(const InstanceContext& context) {
  return context.grid.size() == 2 && context.grid[0] == context.grid[1];
}

template <DestinationTable (*permute)(std::size_t)>
Instance of_bits(const Section& workload, const InstanceContext& context) {
  require_bits(workload, context, 1);
  return instance_of(permute(context.places()));
}

template <DestinationTable (*permute)(const std::vector<std::size_t>&)>
Instance of_grid(const Section&, const InstanceContext& context) {
  return instance_of(permute(context.grid));
}

Instance transposed(const Section& workload, const InstanceContext& context) {
  if (is_square(context)) return instance_of(transpose_square(context.grid[0]));
  require_bits(workload, context, context.is_cube ? 1 : 2);
  return instance_of(transpose(context.places()));
}

Instance transposed_midflip(const Section& workload, const InstanceContext& context) {
  const std::size_t bits = bit_count(context.places());
  const std::size_t odd = bits == 0 ? 1 : (bits - 1) / 2 * 2 + 1;  // At most as many.
  if (!is_power_of_two(context.places()) || bits % 2 == 0) {
    fail(
        workload,
        fmt::format("transpose_midflip inverts the middle one of an odd number of bits, but {} has "
                    "{} places",
                    context.network, context.places()),
        fmt::format("use {} or {} places", std::size_t{1} << odd, std::size_t{1} << (odd + 2)));
  }
  return instance_of(transpose_midflip(context.places()));
}

Instance worst_on_square(const Section& workload, const InstanceContext& context) {
  if (!is_square(context)) {
    const std::size_t side = *std::max_element(context.grid.begin(), context.grid.end());
    fail(workload, "worst_buffer is defined on square meshes, not on " + context.network,
         fmt::format("use mesh {}x{}", side, side));
  }
  return worst_buffer(context.grid[0], context.grid[1]);
}

Instance worst_on_cube(const Section& workload, const InstanceContext& context) {
  const auto& grid = context.grid;
  if (grid.size() != 3 || grid[0] != grid[1] || grid[1] != grid[2]) {
    const std::size_t side = *std::max_element(grid.begin(), grid.end());
    fail(workload,
         "worst_dimension_order is defined on k x k x k meshes, not on " + context.network,
         fmt::format("use mesh {}x{}x{}", side, side, side));
  }
  return worst_dimension_order(grid[0]);
}

Instance stay(const Section&, const InstanceContext& context) {
  Instance instance;
  for (std::size_t place = 0; place < context.places(); ++place) {
    instance.push_back({node_of(place), node_of(place)});
  }
  return instance;
}

template <DestinationTable (*draw_table)(std::uint64_t, std::size_t)>
Instance drawn(const Section& workload, const InstanceContext& context) {
  return instance_of(draw_table(seed_of(workload, context), context.places()));
}

// Numbers as a message shows them: the first few.
std::string shown(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMostShown = 10;
  const std::size_t count = std::min(numbers.size(), kMostShown);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (numbers.size() > count) text += fmt::format(" and {} more", numbers.size() - count);
  return text;
}

void require_length(const Section& workload, const InstanceContext& context,
                    const std::vector<std::int64_t>& list) {
  if (list.size() == context.places()) return;
  fail(workload,
       fmt::format("a list of {} destinations for the {} places of {}", list.size(),
                   context.places(), context.network),
       fmt::format("write {}, with -1 for a place that sends nothing", context.places()));
}

void require_places(const Section& workload, const InstanceContext& context,
                    const std::vector<std::int64_t>& list) {
  std::vector<std::int64_t> beyond;
  for (const std::int64_t to : list) {
    if (to >= static_cast<std::int64_t>(context.places())) beyond.push_back(to);
  }
  if (beyond.empty()) return;
  fail(workload, fmt::format("{} has no place {}", context.network, shown(beyond)),
       fmt::format("use 0 to {}", context.places() - 1));
}

// All that is wrong at once: what comes twice and, if nothing is idle, what does not come.
void require_permutation(const Section& workload, const InstanceContext& context,
                         const std::vector<std::int64_t>& list) {
  std::vector<std::size_t> times(context.places());
  bool complete = true;
  for (const std::int64_t to : list) {
    if (to == kIdle) complete = false;
    if (to != kIdle) ++times[static_cast<std::size_t>(to)];
  }
  std::vector<std::int64_t> repeated;
  std::vector<std::int64_t> missing;
  for (std::size_t place = 0; place < times.size(); ++place) {
    if (times[place] > 1) repeated.push_back(static_cast<std::int64_t>(place));
    if (times[place] == 0) missing.push_back(static_cast<std::int64_t>(place));
  }
  if (repeated.empty()) return;
  std::string what = fmt::format("no permutation: {} come{} more than once", shown(repeated),
                                 repeated.size() == 1 ? "s" : "");
  if (complete) what += fmt::format(", {} not at all", shown(missing));
  fail(workload, what, "name every place once, or write {many_to_one: [...]}");
}

Instance of_list(const std::vector<std::int64_t>& list) {
  Instance instance;
  for (std::size_t place = 0; place < list.size(); ++place) {
    if (list[place] == kIdle) continue;
    instance.push_back({node_of(place), node_of(static_cast<std::size_t>(list[place]))});
  }
  return instance;
}

Instance listed_many_to_one(const Section& workload, const InstanceContext& context) {
  const std::vector<std::int64_t> list = workload.variant("permutation").numbers;
  require_length(workload, context, list);
  require_places(workload, context, list);
  return of_list(list);
}

Instance listed_destinations(const Section& workload, const InstanceContext& context) {
  Instance instance = listed_many_to_one(workload, context);
  require_permutation(workload, context, workload.variant("permutation").numbers);
  return instance;
}

Instance listed_pairs(const Section& workload, const InstanceContext& context) {
  const std::vector<std::int64_t> list = workload.variant("permutation").numbers;
  if (list.size() % 2 != 0 || std::count(list.begin(), list.end(), kIdle) != 0) {
    fail(workload, "a list that is not made of pairs of places",
         "write {pairs: [SOURCE, DESTINATION, SOURCE, DESTINATION, ...]}");
  }
  require_places(workload, context, list);
  Instance instance;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    instance.push_back({node_of(static_cast<std::size_t>(list[i])),
                        node_of(static_cast<std::size_t>(list[i + 1]))});
  }
  return instance;
}

Instance drawn_pairs(const Section& workload, const InstanceContext& context) {
  constexpr std::int64_t kMostPackets = std::int64_t{1} << 24;
  const std::vector<std::int64_t> numbers = workload.variant("permutation").numbers;
  if (numbers.size() != 2 || numbers[0] < 0 || numbers[1] < 0 || numbers[1] > kMostPackets) {
    fail(workload, "random_pairs needs a seed and a number of packets, at most 2^24",
         "write {random_pairs: [1, 20]}");
  }
  Random random(static_cast<std::uint64_t>(numbers[0]) + context.run);
  Instance instance(static_cast<std::size_t>(numbers[1]));
  for (Transfer& packet : instance) {
    packet.from = node_of(random.next() % context.places());
    packet.to = node_of(random.next() % context.places());
  }
  return instance;
}

InstanceEntry entry(const char* name, const char* summary, InstanceMaker make,
                    InstanceEntry::Form form = InstanceEntry::Form::kName) {
  return {{name, summary, {}, make}, form};
}

}  // namespace

Catalog<InstanceEntry>& permutation_instances() {
  using Form = InstanceEntry::Form;
  static Catalog<InstanceEntry> catalog{
      entry("transpose", "(x, y) to (y, x), or the halves of the bits swapped, a middle bit kept",
            transposed),
      entry("bit_reverse", "the bits in reverse order", of_bits<bit_reverse>),
      entry("shuffle", "the bits rotated left", of_bits<shuffle>),
      entry("complement", "every bit inverted", of_bits<bit_complement>),
      entry("transpose_midflip", "transpose of an odd number of bits, the middle one inverted",
            transposed_midflip),
      entry("tornado", "almost half-way round every dimension", of_grid<tornado>),
      entry("neighbour", "one step up in every dimension", of_grid<neighbour>),
      entry("identity", "every packet is where it has to be", stay),
      entry("worst_buffer", "the longest queue of XY on a square mesh", worst_on_square),
      entry("worst_dimension_order", "many packets over one link of a k x k x k mesh",
            worst_on_cube),
      entry("random", "{random: SEED}, a random permutation", drawn<random_permutation>,
            Form::kNumber),
      entry("random_function", "{random_function: SEED}, independent uniform destinations",
            drawn<random_function>, Form::kNumber),
      entry("destinations", "a list, the destination of every place, -1 for none",
            listed_destinations, Form::kNumbers),
      entry("many_to_one", "the same with places that may be named again", listed_many_to_one,
            Form::kNumbers),
      entry("pairs", "{pairs: [SOURCE, DESTINATION, ...]}, packets one by one", listed_pairs,
            Form::kNumbers),
      entry("random_pairs", "{random_pairs: [SEED, PACKETS]}, sources and destinations at random",
            drawn_pairs, Form::kNumbers),
  };
  return catalog;
}

Param permutation_param() {
  std::vector<std::string> names;
  std::vector<std::string> counted;
  std::vector<std::string> enumerated;
  std::string help = "Who sends to whom:";
  for (const InstanceEntry& entry : permutation_instances()) {
    auto& form = entry.form == InstanceEntry::Form::kName     ? names
                 : entry.form == InstanceEntry::Form::kNumber ? counted
                                                              : enumerated;
    form.push_back(entry.name);
    help += " " + entry.name + ": " + entry.summary + ";";
  }
  help.back() = '.';
  return Param::variant("permutation", help, names, counted, enumerated, -1, kLargestSeed);
}

Instance make_instance(const Section& workload, const InstanceContext& context) {
  return find(permutation_instances(), selected(workload))->make(workload, context);
}

}  // namespace flitcast
