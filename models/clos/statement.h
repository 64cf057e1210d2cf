// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bit_set.h"
#include "clos/bounds/bounds.h"
#include "clos/route.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// A part of a network state, or a request, in the notation of the lecture or of a trace. Numbers
/// count from 0 here, and may be too large for the network.
struct Statement {
  enum class Kind {
    kConnection,      ///< Connection of an input.
    kDestinationSet,  ///< M_j.
    kEnd,             ///< End of the connection of an input.
  };
  struct Leg {
    std::uint32_t middle = 0;
    std::optional<std::vector<std::uint32_t>> served;  ///< None: not said.
  };

  std::string text;  ///< As it was written.
  Kind kind = Kind::kConnection;
  std::optional<std::uint32_t> number;  ///< The input, or j of M_j; none for "I={1,2}".
  std::optional<Rate> rate;             ///< Weight; none: a whole link.
  std::vector<std::uint32_t> switches;  ///< Output switches, one for each output.
  std::vector<std::uint32_t> outputs;   ///< The outputs; empty in the notation of the lecture.
  std::vector<Leg> legs;                ///< The route; empty: not said.
};

/// Reads statements, which blanks, commas, semicolons and line ends separate. Numbers of the
/// lecture count from 1, those of a trace from 0:
///
///   I_3={1,2} over 1               input 3 to output switches 1 and 2, by middle switch 1
///   I_6={2,4} over 3:{2} 4:{4}     by two middle switches and what each serves
///   (I_2,0.8)={3} over 1           with the weight 0.8
///   I={1,2,3}                      output switches, asked for by no input
///   M_4={3,4}                      a destination set
///   end I_12                       the end of a connection
///   C 4 4,10 = 1:a                 an event of a trace, with or without its route; or D 11
///
/// Throws std::invalid_argument with the text that cannot be read.
std::vector<Statement> parse_statements(const std::string& text, const Structure& structure);

/// "{1,2}": members counted from 1.
std::string in_lecture(const BitSet& set);
/// "1:{1,2} 3:{3}": middle switches and what each serves, counted from 1.
std::string in_lecture(const Route& route);

}  // namespace flitcast::clos
