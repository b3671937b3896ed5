// The headers every file needs, precompiled once.
#pragma once

#include <ATen/ATen.h>
#include <node_api.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
