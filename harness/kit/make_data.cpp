// SPDX-License-Identifier: Apache-2.0
// Makes the inputs of a kit that follow from a recipe: numbers that are uniform in an interval.
//   make_data FOLDER < RECIPES
// A line `file NAME` names the file of the lines that follow, below FOLDER; each of them is
//   uniform OFFSET COUNT TYPE KEY KEY LOW HIGH SLOPE SIGNED
// The files exist with their other content. What is written must have the bits that NumPy gives
// (golden/data_kinds.py of the suite), so this is compiled without contraction to fused operations.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Philox 4x64-10 (Salmon et al., 2011), in the order of NumPy: the first step has the counter 1.
class Words {
 public:
  Words(uint64_t key, uint64_t further) : keys_{key, further} {}

  uint64_t Next() {
    if (place_ == 4) Step();
    return words_[place_++];
  }

 private:
  void Step() {
    constexpr uint64_t kFirst = 0xD2E7470EE14C6C93U;
    constexpr uint64_t kSecond = 0xCA5A826395121157U;
    ++counter_;
    uint64_t key = keys_[0];
    uint64_t further = keys_[1];
    uint64_t words[] = {counter_, 0, 0, 0};
    for (int round = 0; round < 10; ++round) {
      const auto first = static_cast<unsigned __int128>(kFirst) * words[0];
      const auto second = static_cast<unsigned __int128>(kSecond) * words[2];
      const uint64_t mixed[] = {
          static_cast<uint64_t>(second >> 64) ^ words[1] ^ key, static_cast<uint64_t>(second),
          static_cast<uint64_t>(first >> 64) ^ words[3] ^ further, static_cast<uint64_t>(first)};
      std::memcpy(words, mixed, sizeof words);
      key += 0x9E3779B97F4A7C15U;
      further += 0xBB67AE8584CAA73BU;
    }
    std::memcpy(words_, words, sizeof words);
    place_ = 0;
  }

  uint64_t keys_[2];
  uint64_t counter_ = 0;
  uint64_t words_[4] = {};
  int place_ = 4;
};

struct Recipe {
  int64_t offset = 0;
  int64_t count = 0;
  std::string type;
  uint64_t keys[2] = {};
  double low = 0;
  double high = 0;
  double slope = 0;
  bool isSigned = false;
};

uint16_t ToFloat16(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  // Below the least normal number, steps stay as they are.
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const double steps = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  constexpr int kInfinity = 0x7C00;
  const int bits = (exponent + 14) * 1024 + static_cast<int>(steps);
  return static_cast<uint16_t>(sign | std::min(bits, kInfinity));
}

uint16_t ToBfloat16(double value) {
  const auto single = static_cast<float>(value);
  uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

template <typename Element, typename Round>
void Write(std::fstream &file, const Recipe &recipe, Round round) {
  constexpr int64_t kPiece = 1 << 16;
  Words words(recipe.keys[0], recipe.keys[1]);
  std::vector<Element> piece;
  file.seekp(recipe.offset);
  for (int64_t start = 0; start < recipe.count; start += kPiece) {
    piece.clear();
    for (int64_t i = start; i < std::min(start + kPiece, recipe.count); ++i) {
      const uint64_t word = words.Next();
      const double unit = static_cast<double>(word >> 11) * 0x1p-53;
      const double place = static_cast<double>(i) / static_cast<double>(recipe.count);
      const double value =
          (1 + recipe.slope * place) * (recipe.low + (recipe.high - recipe.low) * unit);
      piece.push_back(round(recipe.isSigned && (word & 1) != 0 ? -value : value));
    }
    file.write(reinterpret_cast<const char *>(piece.data()),
               static_cast<std::streamsize>(piece.size() * sizeof(Element)));
  }
}

void Make(std::fstream &file, const Recipe &recipe) {
  if (recipe.type == "float32") {
    Write<float>(file, recipe, [](double value) { return static_cast<float>(value); });
  } else if (recipe.type == "double") {
    Write<double>(file, recipe, [](double value) { return value; });
  } else if (recipe.type == "float16") {
    Write<uint16_t>(file, recipe, ToFloat16);
  } else if (recipe.type == "bfloat16") {
    Write<uint16_t>(file, recipe, ToBfloat16);
  } else {
    throw std::runtime_error("the type '" + recipe.type + "' is unknown");
  }
}

// Returns the number in the next word; the library's streams cannot read hexadecimal fractions.
double Number(std::istream &words) {
  std::string word;
  words >> word;
  return std::strtod(word.c_str(), nullptr);
}

Recipe ReadRecipe(const std::string &line) {
  Recipe read;
  std::istringstream words(line);
  std::string kind;
  words >> kind >> read.offset >> read.count >> read.type >> std::hex >> read.keys[0] >>
      read.keys[1];
  read.low = Number(words);
  read.high = Number(words);
  read.slope = Number(words);
  words >> read.isSigned;
  if (kind != "uniform" || !words) throw std::runtime_error("'" + line + "' is not a recipe");
  return read;
}

void MakeAll(const std::string &folder) {
  std::fstream file;
  std::string path;
  const auto close = [&] {
    file.close();
    if (!path.empty() && file.fail()) throw std::runtime_error(path + ": cannot be written");
  };
  for (std::string line; std::getline(std::cin, line);) {
    if (line.rfind("file ", 0) != 0) {
      Make(file, ReadRecipe(line));
      continue;
    }
    close();
    path = folder + "/" + line.substr(5);
    file.open(path, std::ios::in | std::ios::out | std::ios::binary);
  }
  close();
}

}  // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw std::runtime_error("make_data takes a folder, and recipes as input");
    MakeAll(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
