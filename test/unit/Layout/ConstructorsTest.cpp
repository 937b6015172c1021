//===- ConstructorsTest.cpp - The compiler's layouts ----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Layout/Constructors.h"
#include "LayoutText.h"

using namespace tile;

namespace {

constexpr LayoutIn kReg = LayoutIn::Reg, kLane = LayoutIn::Lane,
                   kWarp = LayoutIn::Warp;

/// Checks every register of every thread against a formula.
template <typename Formula>
void expectFormula(const TileLayout &layout, Formula formula) {
  for (int64_t warp = 0; warp < layout.numWarps(); ++warp)
    for (int64_t lane = 0; lane < layout.numLanes(); ++lane)
      for (int64_t reg = 0; reg < layout.numRegs(); ++reg)
        ASSERT_EQ(layout.apply(reg, lane, warp), formula(reg, lane, warp))
            << "register " << reg << ", lane " << lane << ", warp " << warp;
}

//===----------------------------------------------------------------------===//
// Blocked
//===----------------------------------------------------------------------===//

// A blocked layout gives bits to registers, then lanes, then warps, the first
// dimension of the order first.
TEST(Blocked, RowMajor) {
  TileLayout layout = must(blocked({32, 64}, {1, 8}, {4, 8}, {4, 1}, {1, 0}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 c2 c4 r16");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "c8 c16 c32 r1 r2");
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "r4 r8");
  TileLayout column = must(blocked({64, 32}, {8, 1}, {8, 4}, {1, 4}, {0, 1}));
  EXPECT_EQ(layout.transpose({1, 0}), column);
}

// A tile smaller than the threads leaves lanes and warps free, and no register
// is replicated.
TEST(Blocked, SmallTile) {
  TileLayout layout = must(blocked({2, 4}, {1, 8}, {4, 8}, {2, 2}, {1, 0}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 c2");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "free free free r1 free");
  EXPECT_EQ(layout.freeBits(kLane), 0b10111u);
  EXPECT_EQ(layout.freeBits(kWarp), 0b11u);
  EXPECT_EQ(layout.shape(), Coord({2, 4}));
}

// An odd side repeats the atom and pads at most one atom.
TEST(Blocked, OddSides) {
  TileLayout layout = must(blocked({65, 97}, {1, 4}, {8, 4}, {2, 1}, {1, 0}));
  EXPECT_EQ(layout.shape(), Coord({80, 112}));
  EXPECT_TRUE(layout.covers({65, 97}));
  EXPECT_EQ(layout.order(), llvm::ArrayRef<unsigned>({1, 0}));
  TileLayout columns = must(blocked({97, 65}, {4, 1}, {4, 8}, {1, 2}, {0, 1}));
  EXPECT_EQ(columns, layout.transpose({1, 0}));
  EXPECT_EQ(columns.order(), llvm::ArrayRef<unsigned>({0, 1}));
  TileLayout vector = must(blocked({3}, {1}, {32}, {4}, {0}));
  EXPECT_EQ(bitNames(vector.atom(), kLane, "r"), "r1 r2 free free free");
}

// Wrong arguments are told apart.
TEST(Blocked, Errors) {
  EXPECT_EQ(messageOf(blocked({0, 4}, {1, 1}, {4, 8}, {1, 1}, {1, 0})),
            "expected sides from 1 to 2^30, got 0");
  EXPECT_EQ(messageOf(blocked({4, 4}, {1, 3}, {4, 8}, {1, 1}, {1, 0})),
            "expected elements per thread in powers of two up to 4096, got 3");
  EXPECT_EQ(messageOf(blocked({4, 4}, {1, 1}, {4}, {1, 1}, {1, 0})),
            "expected 2 counts of threads per warp, got 1");
  EXPECT_EQ(messageOf(blocked({4, 4}, {1, 1}, {4, 8}, {3, 1}, {1, 0})),
            "expected warps in powers of two up to 4096, got 3");
  EXPECT_EQ(messageOf(blocked({4, 4}, {1, 1}, {4, 8}, {1, 1}, {1, 1})),
            "expected an order that lists each of 2 dimensions once");
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

// m16n8 accumulator: row = l/4 + 8(j/2), col = 2(l%4) + j%2.
TEST(Mma, Accumulator) {
  TileLayout layout = must(mmaAccumulator({16, 8}, {1, 1}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 r8");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "c2 c4 r1 r2 r4");
  expectFormula(layout, [](int64_t j, int64_t l, int64_t) {
    return Coord({l / 4 + 8 * (j / 2), 2 * (l % 4) + j % 2});
  });
}

// Two of them whose columns alternate: instruction p has columns p, p + 2, ...
TEST(Mma, AlternatingAccumulator) {
  TileLayout layout = must(mmaAccumulator({16, 16}, {1, 1}, /*n=*/16));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 c2 r8");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "c4 c8 r1 r2 r4");
  expectFormula(layout, [](int64_t j, int64_t l, int64_t) {
    int64_t p = j % 2, own = j / 2;
    return Coord({l / 4 + 8 * (own / 2), 2 * (2 * (l % 4) + own % 2) + p});
  });
}

// m16n8k16 A of 16 bits: row = l/4 + 8((j/2)%2), k = 2(l%4) + j%2 + 8(j/4).
TEST(Mma, OperandA16) {
  TileLayout layout = must(mmaOperandA({16, 16}, {1, 1}, 16));
  EXPECT_EQ(bitNames(layout.atom(), kReg, "rk"), "k1 r8 k8");
  EXPECT_EQ(bitNames(layout.atom(), kLane, "rk"), "k2 k4 r1 r2 r4");
  expectFormula(layout, [](int64_t j, int64_t l, int64_t) {
    return Coord({l / 4 + 8 * (j / 2 % 2), 2 * (l % 4) + j % 2 + 8 * (j / 4)});
  });
}

// m16n8k16 B of 16 bits: k = 2(l%4) + j%2 + 8(j/2), n = l/4.
TEST(Mma, OperandB16) {
  TileLayout layout = must(mmaOperandB({16, 8}, {1, 1}, 16));
  EXPECT_EQ(bitNames(layout.atom(), kReg, "kn"), "k1 k8");
  EXPECT_EQ(bitNames(layout.atom(), kLane, "kn"), "k2 k4 n1 n2 n4");
  expectFormula(layout, [](int64_t j, int64_t l, int64_t) {
    return Coord({2 * (l % 4) + j % 2 + 8 * (j / 2), l / 4});
  });
}

// m16n8k8 tf32: A row = l/4 + 8(j%2), k = l%4 + 4(j/2); B k = l%4 + 4j, n =
// l/4.
TEST(Mma, OperandsTf32) {
  TileLayout a = must(mmaOperandA({16, 8}, {1, 1}, 32));
  EXPECT_EQ(bitNames(a.atom(), kReg, "rk"), "r8 k4");
  EXPECT_EQ(bitNames(a.atom(), kLane, "rk"), "k1 k2 r1 r2 r4");
  expectFormula(a, [](int64_t j, int64_t l, int64_t) {
    return Coord({l / 4 + 8 * (j % 2), l % 4 + 4 * (j / 2)});
  });
  TileLayout b = must(mmaOperandB({8, 8}, {1, 1}, 32));
  EXPECT_EQ(bitNames(b.atom(), kReg, "kn"), "k4");
  EXPECT_EQ(bitNames(b.atom(), kLane, "kn"), "k1 k2 n1 n2 n4");
  expectFormula(b, [](int64_t j, int64_t l, int64_t) {
    return Coord({l % 4 + 4 * j, l / 4});
  });
}

// m16n8k32 of 8 bits: A row = l/4 + 8((j/4)%2), k = 4(l%4) + j%4 + 16(j/8);
// B k = 4(l%4) + j%4 + 16(j/4), n = l/4.
TEST(Mma, Operands8) {
  TileLayout a = must(mmaOperandA({16, 32}, {1, 1}, 8));
  EXPECT_EQ(bitNames(a.atom(), kReg, "rk"), "k1 k2 r8 k16");
  EXPECT_EQ(bitNames(a.atom(), kLane, "rk"), "k4 k8 r1 r2 r4");
  expectFormula(a, [](int64_t j, int64_t l, int64_t) {
    return Coord({l / 4 + 8 * (j / 4 % 2), 4 * (l % 4) + j % 4 + 16 * (j / 8)});
  });
  TileLayout b = must(mmaOperandB({32, 8}, {1, 1}, 8));
  EXPECT_EQ(bitNames(b.atom(), kReg, "kn"), "k1 k2 k16");
  EXPECT_EQ(bitNames(b.atom(), kLane, "kn"), "k4 k8 n1 n2 n4");
  expectFormula(b, [](int64_t j, int64_t l, int64_t) {
    return Coord({4 * (l % 4) + j % 4 + 16 * (j / 4), l / 4});
  });
}

// Warps own contiguous blocks, numbered with n fastest; inside a block the n8
// tiles come before the m16 tiles.
TEST(Mma, AccumulatorOverWarps) {
  TileLayout layout = must(mmaAccumulator({128, 128}, {2, 2}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 r8 c8 c16 c32 r16 r32");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "c2 c4 r1 r2 r4");
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "c64 r64");
}

// In operands the warps of the other side repeat, and registers of one k step
// are contiguous.
TEST(Mma, OperandsOverWarps) {
  TileLayout a = must(mmaOperandA({128, 64}, {2, 4}, 16));
  EXPECT_EQ(bitNames(a.atom(), kReg, "rk"), "k1 r8 k8 r16 r32 k16 k32");
  EXPECT_EQ(bitNames(a.atom(), kWarp, "rk"), "free free r64");
  TileLayout b = must(mmaOperandB({64, 128}, {2, 4}, 16));
  EXPECT_EQ(bitNames(b.atom(), kReg, "kn"), "k1 k8 n8 n16 k16 k32");
  EXPECT_EQ(bitNames(b.atom(), kWarp, "kn"), "n32 n64 free");
}

// Three times a power of two: the factor 3 is repeated outside of the warps,
// and the same one in the accumulator and the operand.
TEST(Mma, OddFactor) {
  TileLayout layout = must(mmaAccumulator({64, 192}, {2, 2}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 r8 c8 c16 r16");
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "c32 r32");
  EXPECT_EQ(layout.reps(), llvm::ArrayRef<int64_t>({1, 3}));
  EXPECT_EQ(layout.numRegs(), 96);
  TileLayout b = must(mmaOperandB({32, 192}, {2, 2}, 16));
  EXPECT_EQ(bitNames(b.atom(), kReg, "kn"), "k1 k8 n8 n16");
  EXPECT_EQ(bitNames(b.atom(), kWarp, "kn"), "n32 free");
  EXPECT_EQ(b.reps(), llvm::ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(b.order(), llvm::ArrayRef<unsigned>({1, 0}));
  EXPECT_EQ(must(mmaOperandA({48, 32}, {1, 1}, 16)).order(),
            llvm::ArrayRef<unsigned>({0, 1}));
}

// An accumulator smaller than the instruction repeats its elements, in
// registers too, and warps without a tile of their own repeat others; what is
// odd is repeated.
TEST(Mma, SmallAccumulators) {
  TileLayout layout = must(mmaAccumulator({4, 2}, {2, 2}));
  EXPECT_EQ(layout.shape(), Coord({4, 2}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 free");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "free free r1 r2 free");
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "free free");
  TileLayout odd = must(mmaAccumulator({24, 12}, {1, 2}));
  EXPECT_EQ(odd.shape(), Coord({24, 12}));
  EXPECT_EQ(bitNames(odd.atom(), kReg), "c1 free");
  EXPECT_EQ(bitNames(odd.atom(), kLane), "c2 free r1 r2 r4");
  EXPECT_EQ(odd.reps(), llvm::ArrayRef<int64_t>({3, 3}));
  EXPECT_EQ(must(mmaAccumulator({33, 17}, {2, 2})).shape(), Coord({33, 17}));
}

// An operand smaller than the instruction is padded.
TEST(Mma, SmallOperands) {
  EXPECT_EQ(must(mmaOperandA({16, 3}, {1, 1}, 16)).shape(), Coord({16, 16}));
}

// Wrong arguments are told apart.
TEST(Mma, Errors) {
  EXPECT_EQ(messageOf(mmaAccumulator({16}, {1, 1})),
            "expected a shape of rank 2, got 1");
  EXPECT_EQ(messageOf(mmaAccumulator({16, 8}, {3, 1})),
            "expected warps in powers of two up to 4096, got 3");
  EXPECT_EQ(messageOf(mmaOperandA({16, 8}, {1, 1}, 64)),
            "expected operands of 8, 16 or 32 bits, got 64");
  EXPECT_EQ(messageOf(mmaOperandB({16, 8}, {1, 1}, 4)),
            "expected operands of 8, 16 or 32 bits, got 4");
}

// m64nN accumulator: row = 16w + l/4 + 8((j/2)%2), col = 8(j/4) + 2(l%4) + j%2,
// for every n that the instruction takes.
TEST(Wgmma, Accumulator) {
  for (int64_t n = 8; n <= 256; n += 8) {
    TileLayout layout = must(wgmmaAccumulator({64, n}, {1, 1}));
    EXPECT_EQ(layout.shape(), Coord({64, n}));
    EXPECT_EQ(layout.numRegs(), n / 2);
    expectFormula(layout, [](int64_t j, int64_t l, int64_t w) {
      return Coord({16 * w + l / 4 + 8 * (j / 2 % 2),
                    8 * (j / 4) + 2 * (l % 4) + j % 2});
    });
  }
}

// Warpgroups take m64 tiles in turn; the registers of one tile are contiguous.
TEST(Wgmma, Warpgroups) {
  TileLayout layout = must(wgmmaAccumulator({256, 192}, {2, 1}));
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "r16 r32 r64");
  EXPECT_EQ(layout.apply(/*reg=*/96, /*lane=*/0, /*warp=*/4), Coord({192, 0}));
  EXPECT_EQ(layout.apply(/*reg=*/95, /*lane=*/0, /*warp=*/4), Coord({72, 185}));
  TileLayout wide = must(wgmmaAccumulator({64, 256}, {1, 2}));
  EXPECT_EQ(bitNames(wide.atom(), kWarp), "r16 r32 c128");
}

// Wrong arguments are told apart.
TEST(Wgmma, Errors) {
  EXPECT_EQ(
      messageOf(wgmmaAccumulator({64, 12}, {1, 1})),
      "expected n to be a multiple of 8 for each of 1 warpgroups, got 12");
  EXPECT_EQ(messageOf(wgmmaAccumulator({64, 384}, {1, 2})),
            "expected a power of two of columns for each of 2 warpgroups, got "
            "192");
}

// The FMA accumulator: vectors of 4 columns over neighbouring lanes, rows
// spread over the other lanes, register = row * columns + column.
TEST(Fma, Accumulator) {
  TileLayout layout = must(fmaAccumulator({128, 128}, {16, 8}, {4, 8}, {2, 2}));
  EXPECT_EQ(bitNames(layout.atom(), kReg), "c1 c2 c32 r4 r8 r16 r32");
  EXPECT_EQ(bitNames(layout.atom(), kLane), "c4 c8 c16 r1 r2");
  EXPECT_EQ(bitNames(layout.atom(), kWarp), "c64 r64");
  expectFormula(layout, [](int64_t j, int64_t l, int64_t w) {
    int64_t row = j / 8, col = j % 8;
    return Coord({64 * (w / 2) + 4 * row + l / 8,
                  64 * (w % 2) + 32 * (col / 4) + 4 * (l % 8) + col % 4});
  });
}

// Smaller tiles shrink a thread's share, then threads hold the same; larger
// ones and odd sides repeat it.
TEST(Fma, OtherShapes) {
  TileLayout small = must(fmaAccumulator({8, 8}, {16, 8}, {4, 8}, {2, 2}));
  EXPECT_EQ(bitNames(small.atom(), kReg), "c1 c2 r4");
  EXPECT_EQ(bitNames(small.atom(), kLane), "c4 free free r1 r2");
  TileLayout odd = must(fmaAccumulator({128, 192}, {16, 8}, {4, 8}, {2, 1}));
  EXPECT_EQ(odd.reps(), llvm::ArrayRef<int64_t>({1, 3}));
  TileLayout idle = must(fmaAccumulator({12, 2}, {1, 1}, {4, 8}, {2, 2}));
  EXPECT_EQ(idle.shape(), Coord({12, 2}));
  EXPECT_EQ(bitNames(idle.atom(), kLane), "c1 free free r1 r2");
  EXPECT_EQ(bitNames(idle.atom(), kWarp), "free free");
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The byte offset of an element by the textbook: blocks of `width` bytes, rows
/// inside them, 16-byte chunk xored with row bits.
int64_t swizzledByte(int64_t row, int64_t col, int64_t rows, int64_t bytes,
                     int64_t width) {
  int64_t inRow = col * bytes, block = inRow / width, inBlock = inRow % width;
  int64_t chunk = inBlock / 16, rowsPer128 = 128 / width;
  chunk ^= row / rowsPer128 % (width / 16);
  return block * rows * width + row * width + chunk * 16 + inBlock % 16;
}

void expectSwizzle(int64_t rows, int64_t cols, unsigned elementBits,
                   int64_t width) {
  TileLayout layout = must(sharedSwizzled(rows, cols, elementBits, true));
  EXPECT_EQ(layout.shape(), Coord({rows, cols}));
  EXPECT_EQ(layout.numOffsets(), rows * cols);
  EXPECT_EQ(swizzleBytes(cols, elementBits), width);
  int64_t bytes = elementBits / 8;
  TileLayoutInverse inverse = *layout.rightInverse();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t col = 0; col < cols; ++col) {
      int64_t offset = inverse.offset({row, col});
      ASSERT_EQ(offset * bytes, swizzledByte(row, col, rows, bytes, width))
          << row << ", " << col;
      ASSERT_EQ(layout.applyOffset(offset), Coord({row, col}));
    }
}

// Every width, element size and count of blocks follows the byte rule, also for
// sides that are not powers of two.
TEST(SharedSwizzled, ByteRule) {
  expectSwizzle(64, 64, 16, 128);
  expectSwizzle(64, 32, 16, 64);
  expectSwizzle(64, 16, 16, 32);
  expectSwizzle(128, 256, 16, 128);
  expectSwizzle(16, 192, 16, 128);
  expectSwizzle(192, 128, 16, 128);
  expectSwizzle(24, 96, 16, 64);
  expectSwizzle(32, 48, 16, 32);
  expectSwizzle(32, 32, 32, 128);
  expectSwizzle(32, 16, 32, 64);
  expectSwizzle(32, 16, 64, 128);
  expectSwizzle(64, 128, 8, 128);
}

// On byte offsets: bits 4 5 6 ^= bits 7 8 9 and so on; bits 0 to 3 stay.
TEST(SharedSwizzled, BitRule) {
  auto bits = [](int64_t cols) {
    TileLayout layout = must(sharedSwizzled(16, cols, 8, true));
    return bitNames(layout.atom(), LayoutIn::Offset);
  };
  EXPECT_EQ(bits(128), "c1 c2 c4 c8 c16 c32 c64 r1+c16 r2+c32 r4+c64 r8");
  EXPECT_EQ(bits(64), "c1 c2 c4 c8 c16 c32 r1 r2+c16 r4+c32 r8");
  EXPECT_EQ(bits(32), "c1 c2 c4 c8 c16 r1 r2 r4+c16 r8");
}

// A column-major tile is the transpose of a row-major one.
TEST(SharedSwizzled, ColumnMajor) {
  EXPECT_EQ(must(sharedSwizzled(64, 192, 16, false)),
            must(sharedSwizzled(192, 64, 16, true)).transpose({1, 0}));
}

// Rows of at most 16 bytes are not swizzled.
TEST(SharedSwizzled, NarrowRows) {
  EXPECT_EQ(swizzleBytes(8, 16), 0u);
  EXPECT_EQ(must(sharedSwizzled(32, 8, 16, true)), must(sharedRowMajor(32, 8)));
  EXPECT_EQ(must(sharedSwizzled(5, 1, 16, true)).rightInverse()->offset({4, 0}),
            4);
}

// Wrong arguments are told apart; rows that break the swizzle's period cannot
// repeat.
TEST(SharedSwizzled, Errors) {
  EXPECT_EQ(messageOf(sharedSwizzled(12, 64, 16, true)),
            "expected a multiple of 8 rows, or powers of two of rows and of "
            "128-byte blocks, under a swizzle, got 12 rows and 1 blocks");
  EXPECT_EQ(messageOf(sharedSwizzled(1, 96, 16, true)),
            "expected a multiple of 8 rows, or powers of two of rows and of "
            "64-byte blocks, under a swizzle, got 1 rows and 3 blocks");
  EXPECT_EQ(messageOf(sharedSwizzled(64, 64, 4, true)),
            "expected elements of 8, 16, 32 or 64 bits, got 4");
  EXPECT_EQ(messageOf(sharedSwizzled(0, 64, 16, true)),
            "expected sides from 1 to 2^30, got 0");
}

// What cannot be swizzled lies as it comes, in either order.
TEST(SharedImage, Unswizzled) {
  EXPECT_EQ(must(sharedImage(16, 64, 16, true)),
            must(sharedSwizzled(16, 64, 16, true)));
  EXPECT_EQ(must(sharedImage(12, 64, 16, true)), must(sharedRowMajor(12, 64)));
  EXPECT_EQ(must(sharedImage(64, 12, 16, false)),
            must(sharedRowMajor(12, 64)).transpose({1, 0}));
}

// Row major is row * cols + col for any sides.
TEST(SharedRowMajor, Formula) {
  for (int64_t rows : {1, 4, 5, 12})
    for (int64_t cols : {1, 3, 8, 12}) {
      TileLayout layout = must(sharedRowMajor(rows, cols));
      EXPECT_EQ(layout.shape(), Coord({rows, cols}));
      TileLayoutInverse inverse = *layout.rightInverse();
      for (int64_t offset = 0; offset < rows * cols; ++offset) {
        EXPECT_EQ(layout.applyOffset(offset),
                  Coord({offset / cols, offset % cols}));
        EXPECT_EQ(inverse.offset({offset / cols, offset % cols}), offset);
      }
    }
}

// ldmatrix.x4: lane l reads the 16-byte chunk l / 16 of row l % 16.
TEST(Ldmatrix, Access) {
  TileLayout layout = must(ldmatrixAccess(16));
  EXPECT_EQ(layout.shape(), Coord({16, 16}));
  expectFormula(layout, [](int64_t j, int64_t l, int64_t) {
    return Coord({l % 16, 8 * (l / 16) + j});
  });
}

} // namespace
