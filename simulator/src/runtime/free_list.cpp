// SPDX-License-Identifier: Apache-2.0
#include "runtime/free_list.h"

namespace simulator {

FreeList::FreeList(size_t size) { Insert(0, size); }

bool FreeList::Take(size_t size, size_t *offset) {
  const auto fit = bySize_.lower_bound({size, 0});
  if (fit == bySize_.end()) return false;
  const size_t pieceSize = fit->first;
  *offset = fit->second;
  Erase(sizeByOffset_.find(*offset));
  if (pieceSize > size) Insert(*offset + size, pieceSize - size);
  return true;
}

void FreeList::Give(size_t offset, size_t size) {
  const auto next = sizeByOffset_.lower_bound(offset);
  if (next != sizeByOffset_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      offset = previous->first;
      size += previous->second;
      Erase(previous);
    }
  }
  if (next != sizeByOffset_.end() && offset + size == next->first) {
    size += next->second;
    Erase(next);
  }
  Insert(offset, size);
}

void FreeList::Insert(size_t offset, size_t size) {
  sizeByOffset_[offset] = size;
  bySize_.insert({size, offset});
  total_ += size;
}

void FreeList::Erase(std::map<size_t, size_t>::iterator piece) {
  bySize_.erase({piece->second, piece->first});
  total_ -= piece->second;
  sizeByOffset_.erase(piece);
}

}  // namespace simulator
