// SPDX-License-Identifier: Apache-2.0
#include "traffic/injection.h"
#include "traffic/pattern.h"
#include "traffic/trace.h"

namespace flitcast {

// Each entry is defined in the file of its kind.
PatternEntry uniform_pattern();
PatternEntry transpose_pattern();
PatternEntry bit_complement_pattern();
PatternEntry bit_reverse_pattern();
PatternEntry shuffle_pattern();
PatternEntry tornado_pattern();
PatternEntry neighbour_pattern();
PatternEntry hot_spot_pattern();
PatternEntry random_permutation_pattern();

Catalog<PatternEntry>& patterns() {
  static Catalog<PatternEntry> catalog{
      uniform_pattern(),     transpose_pattern(), bit_complement_pattern(),
      bit_reverse_pattern(), shuffle_pattern(),   tornado_pattern(),
      neighbour_pattern(),   hot_spot_pattern(),  random_permutation_pattern(),
  };
  return catalog;
}

InjectionEntry bernoulli_injection();
InjectionEntry on_off_injection();

Catalog<InjectionEntry>& injections() {
  static Catalog<InjectionEntry> catalog{bernoulli_injection(), on_off_injection()};
  return catalog;
}

TraceFormatEntry csv_trace_format();
TraceFormatEntry netrace_trace_format();
TraceFormatEntry chakra_trace_format();

Catalog<TraceFormatEntry>& trace_formats() {
  static Catalog<TraceFormatEntry> catalog{csv_trace_format(), netrace_trace_format(),
                                           chakra_trace_format()};
  return catalog;
}

}  // namespace flitcast
