//===- Arrangement.h - A tensor as nested levels ----------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor of M x N elements, seen as a grid of tiles of 64 x 64, has two
// levels:
//
//   (cdiv(M, 64), cdiv(N, 64)) -> (64, 64)
//
// Each dimension of each level has a variable.  The arrangement says which
// element of the tensor the values of all variables stand for: one coordinate
// for each side of the tensor, here 64 * d0 + d2 and 64 * d1 + d3.  Operations
// on a level replace its variables by expressions of new ones, so coordinates
// are always of the variables that there are now.
//
// An index beyond a side of the tensor is no element: whoever reads elements
// compares each coordinate with its side.  Where that does not find every index
// that is beyond a dimension (the windows of a level overlap, say), a bound
// stands beside the coordinates.
//
// Sizes are affine expressions of symbols, indices those of dimensions and
// symbols; both are semi-affine after `flatten`.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_FRONTEND_ARRANGEMENT_H
#define TILE_FRONTEND_ARRANGEMENT_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tile::frontend {

/// Levels from the outermost to the innermost.
class Arrangement {
public:
  /// One dimension of a level.
  struct Dim {
    mlir::AffineExpr size;
    unsigned variable;
    /// An index of `size` or more gives a coordinate beyond the tensor.
    bool isImplied;
  };
  using Level = llvm::SmallVector<Dim, 4>;
  /// `index` must be less than `size`.
  struct Bound {
    mlir::AffineExpr index, size;
  };
  /// What is wrong with an operation, in words.
  using Wrong = std::optional<std::string>;
  using Sizes = llvm::ArrayRef<mlir::AffineExpr>;
  using NameOf = llvm::function_ref<std::string(unsigned symbol)>;

  Arrangement() = default;
  /// The tensor with these sides, in one level.
  explicit Arrangement(Sizes sides);

  llvm::ArrayRef<Level> levels() const { return allLevels; }
  /// The index along each side of the tensor.
  Sizes coordinates() const { return allCoordinates; }
  llvm::ArrayRef<Bound> bounds() const { return allBounds; }
  unsigned numVariables() const { return nextVariable; }
  /// Whether two places in the levels may be one element.
  bool isShared() const { return shared; }
  /// Whether an index may be as large as the number of elements.
  bool isFlattened() const { return flattened; }

  /// Splits each dimension of a level into windows, whose places make a new
  /// level behind it.  A null size is the whole dimension; strides and
  /// dilations are empty or one for each dimension, and null where they are the
  /// window's size, and 1.
  Wrong tile(unsigned level, Sizes sizes, Sizes strides, Sizes dilations);
  /// Repeats dimensions of size 1; a null size leaves one as it is.
  Wrong expand(unsigned level, Sizes sizes, NameOf nameOf);
  /// Removes dimensions of size 1.
  Wrong squeeze(unsigned level, llvm::ArrayRef<int64_t> dims, NameOf nameOf);
  /// Puts a dimension of size 1 before `dim`.
  Wrong unsqueeze(unsigned level, int64_t dim);
  Wrong permute(unsigned level, llvm::ArrayRef<int64_t> order);
  /// Makes one dimension of those from `first` to `last`.
  Wrong flatten(unsigned level, int64_t first, int64_t last);

  /// Whether its expressions are larger than any that a person would make:
  /// sizes of sizes can double with each operation.
  bool isTooLarge() const;

  /// "(2, 4) -> (3,) -> (64, 64)", from `level` on.
  std::string text(NameOf nameOf, unsigned level = 0) const;

private:
  void replace(unsigned variable, mlir::AffineExpr value);
  Dim newDim(mlir::AffineExpr size, bool isImplied) {
    return {size, nextVariable++, isImplied};
  }
  mlir::AffineExpr index(const Dim &dim) const;
  std::pair<Dim, Dim> split(const Dim &dim, mlir::AffineExpr size,
                            mlir::AffineExpr stride, mlir::AffineExpr dilation);
  Wrong checkDim(unsigned level, int64_t dim, int64_t end) const;

  llvm::SmallVector<Level, 3> allLevels;
  llvm::SmallVector<mlir::AffineExpr, 4> allCoordinates;
  llvm::SmallVector<Bound, 2> allBounds;
  unsigned nextVariable = 0;
  bool shared = false, flattened = false;
};

/// "cdiv(M, 64)".
std::string sizeText(mlir::AffineExpr size, Arrangement::NameOf nameOf);

/// "(3,)", "(64, 64)".
std::string levelText(llvm::ArrayRef<Arrangement::Dim> level,
                      Arrangement::NameOf nameOf);

} // namespace tile::frontend

#endif // TILE_FRONTEND_ARRANGEMENT_H
