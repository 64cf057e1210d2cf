// SPDX-License-Identifier: Apache-2.0
// Tests include Catch2 through this header only, whichever major version the system provides.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
