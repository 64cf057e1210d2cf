// SPDX-License-Identifier: Apache-2.0
#include "clos/network_state.h"
