// SPDX-License-Identifier: Apache-2.0
// The contract tests loop over the catalogs when they run: what is added before main takes part.
#include "extension.h"

namespace {
const bool extended = (extend_catalogs(), true);
}
