// SPDX-License-Identifier: Apache-2.0
#ifndef SIMULATOR_RUNTIME_FREE_LIST_H_
#define SIMULATOR_RUNTIME_FREE_LIST_H_

#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace simulator {

/// The free pieces of a range of bytes, allocated by best fit; neighbouring pieces are merged.
class FreeList {
 public:
  explicit FreeList(size_t size);

  /// Allocates `size` bytes and sets `*offset` to their start; false if no piece is large enough.
  bool Take(size_t size, size_t *offset);

  /// Returns exactly an allocation of Take.
  void Give(size_t offset, size_t size);

  /// Number of free bytes.
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
