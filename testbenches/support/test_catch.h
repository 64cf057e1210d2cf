// SPDX-License-Identifier: Apache-2.0
// The one header through which tests see Catch2, whichever major version the system packages.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
