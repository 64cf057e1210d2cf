// SPDX-License-Identifier: Apache-2.0
// The contract tests loop over the catalogs when they run, so entries added before main are tested.
#include "extension.h"

namespace {
const bool extended = (extend_catalogs(), true);
}
