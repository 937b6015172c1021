//===- ScalarExpr.h - Polynomials over scalar values ------------*- C++ -*-===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an index is made of.  Offsets into matrices are sums of products of
// sizes, strides, program ids and loop counters; as polynomials, two ways to
// write the same one become equal and their difference cancels.
//
//===----------------------------------------------------------------------===//

#ifndef TILE_ANALYSIS_SCALAREXPR_H
#define TILE_ANALYSIS_SCALAREXPR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tile {

/// A polynomial with integer coefficients over scalar integer SSA values, its
/// atoms.  An atom stands for its value sign-extended to 64 bits; the
/// polynomial's value is taken modulo 2^64, like an address.
class ScalarExpr {
public:
  /// A product of atoms times a coefficient that is not zero.
  struct Monomial {
    /// With multiplicity, sorted by address (an order only for comparing).
    llvm::SmallVector<mlir::Value, 2> atoms;
    int64_t coefficient;
  };

  /// Zero.
  ScalarExpr() = default;
  static ScalarExpr constant(int64_t value);
  /// `value` as an atom; a constant where `value` is an integer constant.
  static ScalarExpr value(mlir::Value value);
  /// One product.
  static ScalarExpr monomial(Monomial term);

  ScalarExpr operator+(const ScalarExpr &other) const;
  ScalarExpr operator-(const ScalarExpr &other) const;
  ScalarExpr operator*(const ScalarExpr &other) const;
  bool operator==(const ScalarExpr &other) const;
  bool operator!=(const ScalarExpr &other) const { return !(*this == other); }

  bool isZero() const { return terms.empty(); }
  /// The value, if there is no atom.
  std::optional<int64_t> getConstant() const;
  /// v, if this is exactly 1 * v; null otherwise.
  mlir::Value getSingleValue() const;
  /// The monomials, sorted by their atoms' addresses: not an order for output.
  llvm::ArrayRef<Monomial> monomials() const { return terms; }
  /// All atoms, each once, in the order of the text: outer blocks first, then
  /// by place.
  llvm::SmallVector<mlir::Value> values() const;

  /// This with `to` for every `from`.
  ScalarExpr substitute(mlir::Value from, const ScalarExpr &to) const;
  /// The q with q * divisor = this; none unless it comes out exactly.  The
  /// divisor must be a single monomial.
  std::optional<ScalarExpr> divideExactly(const ScalarExpr &divisor) const;

  /// Arithmetic that computes the value in `type` (i32, i64 or index), atoms
  /// sign-extended or truncated as needed, factored so that it takes few ops.
  /// It wraps in `type` and carries no overflow flags: right where the value
  /// fits, whatever the partial sums do.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type type) const;

  /// Prints like `pid_m*128 + iv*sak - 1`.
  void print(llvm::raw_ostream &os,
             llvm::function_ref<std::string(mlir::Value)> name) const;

private:
  void addTerm(Monomial term);

  llvm::SmallVector<Monomial, 2> terms;
};

/// A name for people: an argument's name, `pid_x` for a program id, `iv` for
/// the counter of a loop, the name that the producer gave as a NameLoc, or the
/// name of the op.  Different values may have the same name.
std::string valueName(mlir::Value value);

} // namespace tile

#endif // TILE_ANALYSIS_SCALAREXPR_H
