// SPDX-License-Identifier: Apache-2.0
// The command line in other forms, made from its own commands and options, so that none can lag
// behind.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace flitcast {

/// The manual page of section 1, in the man macros of roff.
std::string manual_page(const CLI::App& program, const std::string& version);

/// Words that can follow an option, or stand for a positional argument, by its name.
using WordsOf = std::map<std::string, std::vector<std::string>>;

/// A script for bash, which completes commands, options, the words given here and names of files.
/// A word that ends with "=" is continued without a space.
std::string bash_completion(const CLI::App& program, const WordsOf& words);

}  // namespace flitcast
