// SPDX-License-Identifier: Apache-2.0
#include "stats/distance_probe.h"

namespace flitcast {

const FigureTable<Distance>& distance_figures() {
  using D = Distance;
  static const FigureTable<D> table{
      {"hops", "routers", "That the packets crossed.", [](const D& d) { return d.first; }},
      {"packets", "packets", "Deliveries of packets created in the window.",
       [](const D& d) { return d.second.packets; }},
      {"mean", "cycles", "From creation to the arrival of the tail, on average.",
       [](const D& d) {
         return static_cast<double>(d.second.cycles) / static_cast<double>(d.second.packets);
       }},
      {"max", "cycles", "The longest of them.", [](const D& d) { return d.second.most; }},
  };
  return table;
}

}  // namespace flitcast
