// What c10d's header of its Gloo back end names of Gloo. libtorch's wheels contain Gloo's code but not its headers, and
// c10d keeps only pointers to these types: declarations are enough, and layouts do not matter.
#pragma once

#include <chrono>
#include <memory>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
  std::chrono::milliseconds getTimeout() const;
};

}  // namespace gloo
