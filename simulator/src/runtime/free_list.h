// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_FREE_LIST_H_
#define SIMULATOR_RUNTIME_FREE_LIST_H_

#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace simulator {

/// The free pieces of a range of bytes, by best fit; neighbouring free pieces are joined.
class FreeList {
 public:
  explicit FreeList(size_t size);

  /// Takes `size` bytes out and sets `*offset` to where they begin; false when no piece is large
  /// enough.
  bool Take(size_t size, size_t *offset);

  /// Gives back exactly what Take gave.
  void Give(size_t offset, size_t size);

  /// Bytes that are free, in pieces of any size.
  size_t Total() const { return total_; }

 private:
  void Insert(size_t offset, size_t size);
  void Erase(std::map<size_t, size_t>::iterator piece);

  std::map<size_t, size_t> sizeByOffset_;
  std::set<std::pair<size_t, size_t>> bySize_;
  size_t total_ = 0;
};

}  // namespace simulator

#endif  // SIMULATOR_RUNTIME_FREE_LIST_H_
