// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/multistage_admission.h"
#include "cosim/port_bits.h"

namespace flitcast {

/// Drives the write ports of a Verilated clos_data_path, which set the driver of each crossbar
/// output at the next edge. The ports are members of `Rtl`.
template <class Rtl>
class ClosPaths {
 public:
  ClosPaths(Rtl& rtl, const clos::Structure& structure) : rtl_(rtl), structure_(structure) {}

  /// Clears all write ports, so that no driver changes.
  void leave() {
    clear(rtl_.a_config_valid_i, structure_.r1 * structure_.m);
    clear(rtl_.b_config_valid_i, structure_.m * structure_.r2);
    clear(rtl_.out_config_valid_i, structure_.outputs());
  }
  /// Adds the writes that connect these crossbars or make them idle; earlier writes of the same
  /// cycle remain.
  void write(const std::vector<clos::SwitchSetting>& path, bool set) {
    for (const clos::SwitchSetting& crossbar : path) {
      for (const std::uint32_t output : crossbar.outputs) write(crossbar, output, set);
    }
  }

 private:
  using Stage = clos::SwitchSetting::Stage;

  template <class Port>
  static void clear(Port& valid, std::size_t bits) {
    set_port_bits(valid, 0, bits, 0);
  }
  template <class Valid, class Driver>
  static void put(Valid& valid, Driver& drivers, std::size_t place, std::uint32_t driver,
                  std::uint32_t idle) {
    std::size_t width = 0;
    while (idle >> width != 0) ++width;
    set_port_bits(valid, place, 1, 1);
    set_port_bits(drivers, place * width, width, driver);
  }

  void write(const clos::SwitchSetting& crossbar, std::uint32_t output, bool set) {
    const auto [m, n1, r1, n2, r2] = structure_;
    const auto driver = [&](std::uint32_t idle) { return set ? crossbar.input : idle; };
    const std::size_t number = crossbar.number;
    switch (crossbar.stage) {
      case Stage::kInput:
        return put(rtl_.a_config_valid_i, rtl_.a_config_driver_i, number * m + output, driver(n1),
                   n1);
      case Stage::kMiddle:
        return put(rtl_.b_config_valid_i, rtl_.b_config_driver_i, number * r2 + output, driver(r1),
                   r1);
      case Stage::kOutput:
        return put(rtl_.out_config_valid_i, rtl_.out_config_driver_i, number * n2 + output,
                   driver(m), m);
    }
  }

  Rtl& rtl_;
  const clos::Structure structure_;
};

}  // namespace flitcast
