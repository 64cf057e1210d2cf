// SPDX-License-Identifier: Apache-2.0
#include "permutation/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "base/sequences.h"
#include "collective/demand.h"
#include "collective/precondition.h"

namespace flitcast {

namespace {

constexpr std::int64_t kIdle = -1;

std::string selected(const Section& workload) { return workload.variant("permutation").name; }

}  // namespace

std::size_t InstanceContext::places() const {
  return std::accumulate(grid.begin(), grid.end(), std::size_t{1}, std::multiplies<>());
}

Instance instance_of(const DestinationTable& table) {
  return tabulated(table.size(), [&](std::size_t from) {
    return Transfer{to_id<NodeId>(from), table[from]};
  });
}

namespace {

// The precondition that the number of places is a power of 2^step.
Precondition on_bits(const Section& workload, const InstanceContext& context, std::size_t step) {
  const std::size_t places = context.places();
  if (is_power_of_two(places, step)) return {};
  const std::size_t bits = bit_count(places) / step * step;
  return violated(
      fmt::format("{} permutes the {} of a number, but {} has {} places", selected(workload),
                  step == 1 ? "bits" : "halves of the bits", context.network, places),
      fmt::format("use {} or {} places", std::size_t{1} << bits, std::size_t{1} << (bits + step)));
}

template <DestinationTable (*permute)(std::size_t)>
Instance of_bits(const Section& workload, const InstanceContext& context) {
  require(workload, "permutation", on_bits(workload, context, 1));
  return instance_of(permute(context.places()));
}

template <DestinationTable (*permute)(const std::vector<std::size_t>&)>
Instance of_grid(const Section&, const InstanceContext& context) {
  return instance_of(permute(context.grid));
}

Instance transposed(const Section& workload, const InstanceContext& context) {
  const auto& grid = context.grid;
  if (grid.size() == 2 && grid[0] == grid[1]) return instance_of(transpose_square(grid[0]));
  require(workload, "permutation", on_bits(workload, context, context.is_cube ? 1 : 2));
  return instance_of(transpose(context.places()));
}

Instance transposed_midflip(const Section& workload, const InstanceContext& context) {
  const std::size_t places = context.places();
  const std::size_t bits = bit_count(places);
  if (is_power_of_two(places) && bits % 2 != 0) return instance_of(transpose_midflip(places));
  // The largest odd number up to `bits`.
  const std::size_t odd = bits == 0 ? 1 : (bits - 1) / 2 * 2 + 1;
  workload.fail(
      "permutation",
      fmt::format("transpose_midflip inverts the middle one of an odd number of bits, but {} has "
                  "{} places",
                  context.network, places),
      fmt::format("use {} or {} places", std::size_t{1} << odd, std::size_t{1} << (odd + 2)));
}

// The precondition that the grid has the given number of dimensions, all of one size.
Precondition on_equal_sides(const std::string& name, const char* shape,
                            const InstanceContext& context, std::size_t dimensions) {
  const auto& grid = context.grid;
  const auto [least, most] = std::minmax_element(grid.begin(), grid.end());
  if (grid.size() == dimensions && *least == *most) return {};
  const std::vector<std::size_t> sides(dimensions, *most);
  return violated(
      fmt::format("{} is defined on {} meshes, not on {}", name, shape, context.network),
      fmt::format("use mesh {}", fmt::join(sides, "x")));
}

Instance worst_on_square(const Section& workload, const InstanceContext& context) {
  require(workload, "permutation", on_equal_sides("worst_buffer", "square", context, 2));
  return worst_buffer(context.grid[0], context.grid[1]);
}

Instance worst_on_cube(const Section& workload, const InstanceContext& context) {
  require(workload, "permutation",
          on_equal_sides("worst_dimension_order", "k x k x k", context, 3));
  return worst_dimension_order(context.grid[0]);
}

Instance stay(const Section&, const InstanceContext& context) {
  return instance_of(all_nodes(context.places()));
}

template <DestinationTable (*draw_table)(std::uint64_t, std::size_t)>
Instance drawn(const Section& workload, const InstanceContext& context) {
  const auto seed = static_cast<std::uint64_t>(workload.variant("permutation").numbers.front());
  return instance_of(draw_table(seed + context.run, context.places()));
}

// Lists the first few numbers for a message.
std::string shown(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMostShown = 10;
  const std::size_t count = std::min(numbers.size(), kMostShown);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  if (numbers.size() > count) text += fmt::format(" and {} more", numbers.size() - count);
  return text;
}

Precondition among_places(const InstanceContext& context, const std::vector<std::int64_t>& list) {
  const auto places = static_cast<std::int64_t>(context.places());
  const auto beyond = filtered(list, [&](std::int64_t to) { return to >= places; });
  if (beyond.empty()) return {};
  return violated(fmt::format("{} has no place {}", context.network, shown(beyond)),
                  fmt::format("use 0 to {}", context.places() - 1));
}

// The precondition that no place occurs twice. The message lists all places that do and, in a
// complete list, all that are missing.
Precondition each_place_once(const InstanceContext& context,
                             const std::vector<std::int64_t>& list) {
  std::vector<std::size_t> times(context.places());
  for (const std::int64_t to : list) {
    if (to != kIdle) ++times[static_cast<std::size_t>(to)];
  }
  std::vector<std::int64_t> repeated;
  std::vector<std::int64_t> missing;
  for (std::size_t place = 0; place < times.size(); ++place) {
    if (times[place] > 1) repeated.push_back(static_cast<std::int64_t>(place));
    if (times[place] == 0) missing.push_back(static_cast<std::int64_t>(place));
  }
  if (repeated.empty()) return {};
  std::string what = fmt::format("no permutation: {} come{} more than once", shown(repeated),
                                 repeated.size() == 1 ? "s" : "");
  if (!contains(list, kIdle)) what += fmt::format(", {} not at all", shown(missing));
  return violated(what, "name every place once, or write {many_to_one: [...]}");
}

Instance listed_many_to_one(const Section& workload, const InstanceContext& context) {
  const std::vector<std::int64_t> list = workload.variant("permutation").numbers;
  if (list.size() != context.places()) {
    workload.fail(
        "permutation",
        fmt::format("a list of {} destinations for the {} places of {}", list.size(),
                    context.places(), context.network),
        fmt::format("write {}, with -1 for a place that sends nothing", context.places()));
  }
  require(workload, "permutation", among_places(context, list));
  Instance instance;
  for (std::size_t place = 0; place < list.size(); ++place) {
    if (list[place] == kIdle) continue;
    instance.push_back(
        {to_id<NodeId>(place), to_id<NodeId>(static_cast<std::size_t>(list[place]))});
  }
  return instance;
}

Instance listed_destinations(const Section& workload, const InstanceContext& context) {
  Instance instance = listed_many_to_one(workload, context);
  require(workload, "permutation",
          each_place_once(context, workload.variant("permutation").numbers));
  return instance;
}

Instance listed_pairs(const Section& workload, const InstanceContext& context) {
  const std::vector<std::int64_t> list = workload.variant("permutation").numbers;
  if (list.size() % 2 != 0 || contains(list, kIdle)) {
    workload.fail("permutation", "a list that is not made of pairs of places",
                  "write {pairs: [SOURCE, DESTINATION, SOURCE, DESTINATION, ...]}");
  }
  require(workload, "permutation", among_places(context, list));
  Instance instance;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    instance.push_back({to_id<NodeId>(static_cast<std::size_t>(list[i])),
                        to_id<NodeId>(static_cast<std::size_t>(list[i + 1]))});
  }
  return instance;
}

Instance drawn_pairs(const Section& workload, const InstanceContext& context) {
  constexpr std::int64_t kMostPackets = std::int64_t{1} << 24;
  const std::vector<std::int64_t> numbers = workload.variant("permutation").numbers;
  if (numbers.size() != 2 || numbers[0] < 0 || numbers[1] < 0 || numbers[1] > kMostPackets) {
    workload.fail("permutation", "random_pairs needs a seed and a number of packets, at most 2^24",
                  "write {random_pairs: [1, 20]}");
  }
  Random random(static_cast<std::uint64_t>(numbers[0]) + context.run);
  Instance instance(static_cast<std::size_t>(numbers[1]));
  for (Transfer& packet : instance) {
    packet.from = to_id<NodeId>(random.next() % context.places());
    packet.to = to_id<NodeId>(random.next() % context.places());
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
  using Form = InstanceEntry::Form;
  const auto names_of = [](Form form) {
    return names_where(permutation_instances(),
                       [&](const InstanceEntry& entry) { return entry.form == form; });
  };
  std::string help = "The destination of every node:";
  for (const InstanceEntry& entry : permutation_instances()) {
    help += " " + entry.name + ": " + entry.summary + ";";
  }
  help.back() = '.';
  return Param::variant("permutation", help, names_of(Form::kName), names_of(Form::kNumber),
                        names_of(Form::kNumbers), -1, kLargestSeed);
}

Instance make_instance(const Section& workload, const InstanceContext& context) {
  return find(permutation_instances(), selected(workload))->make(workload, context);
}

}  // namespace flitcast
