//===- ParseLoops.cpp - Parses loops, and what leaves them ----------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR has no jumps.  `break`, `continue`, and the `return` of a kernel become
// hidden variables, which are true until one of them is reached; whatever
// follows a statement that may reach one stands in an `if` that asks
// them.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace tile::frontend;

//===----------------------------------------------------------------------===//
// Leaving
//===----------------------------------------------------------------------===//

/// A kernel that ends early, `if c { return }`, runs the rest else; a `return`
/// at its end says nothing.
void Parser::moveBehindReturns(Block &body) {
  auto isReturn = [](const std::unique_ptr<Stmt> &stmt) {
    return stmt->kind == Stmt::Return && stmt->results.empty();
  };
  unsigned count = 0;
  for (Block *block = &body; !block->empty();) {
    // What is said of a statement must not be of those behind it.
    if (isReturn(block->back()) && block->back()->annotations.empty())
      block->pop_back();
    auto early = llvm::find_if(*block, [&](const std::unique_ptr<Stmt> &stmt) {
      return stmt->kind == Stmt::If && stmt->annotations.empty() &&
             stmt->otherwise.empty() && !stmt->body.empty() &&
             isReturn(stmt->body.back());
    });
    if (early == block->end())
      return;
    Stmt &branch = **early;
    if (++count > kMaxDepth) {
      errors.error(branch.range, "expected at most " + Twine(kMaxDepth) +
                                     " early ends of a kernel, got more");
      return;
    }
    branch.body.pop_back();
    std::move(std::next(early), block->end(),
              std::back_inserter(branch.otherwise));
    block->erase(std::next(early), block->end());
    block = &branch.otherwise;
  }
}

/// `break` and `continue`: the variable becomes false.
bool Parser::parseLeave(Stmt &stmt) {
  SMRange range = token.range();
  StringRef word = token.text;
  advance();
  if (!loop) {
    // Where an expression is missing, the word has been said to be none.
    if (failedAt != word.begin())
      errors.error(range,
                   "expected '" + word + "' in a loop, got one elsewhere");
    return false;
  }
  bool isBreak = word == "break";
  (isBreak ? loop->hasBreak : loop->hasContinue) = true;
  stmt.kind = Stmt::Assign;
  stmt.isLeave = true;
  stmt.names.push_back({isBreak ? kBreakFlag : kContinueFlag, range});
  stmt.value = node(Expr::Name, "false", range.Start, {});
  stmt.value->range = range;
  return true;
}

/// Whether the statement may leave the loop around it, or its turn.
static bool mayLeave(const Stmt &stmt) {
  auto mayAny = [](const Block &block) {
    return any_of(block, [](const auto &inner) { return mayLeave(*inner); });
  };
  return stmt.isLeave || (stmt.kind == Stmt::If &&
                          (mayAny(stmt.body) || mayAny(stmt.otherwise)));
}

/// An `if` around the statements, which asks all of these variables.
std::unique_ptr<Stmt> Parser::guardBy(ArrayRef<StringRef> names, Block body) {
  auto branch = std::make_unique<Stmt>();
  branch->kind = Stmt::If;
  branch->range = body.front()->range;
  SMLoc start = branch->range.Start;
  for (StringRef name : names) {
    ExprPtr asked = node(Expr::Name, name, start, {});
    asked->range = branch->range;
    if (branch->value) {
      std::vector<ExprPtr> operands;
      operands.push_back(std::move(branch->value));
      operands.push_back(std::move(asked));
      asked = node(Expr::Binary, "and", start, std::move(operands));
      asked->range = branch->range;
    }
    branch->value = std::move(asked);
  }
  branch->body = std::move(body);
  return branch;
}

/// Puts what follows a statement that may leave into an `if`; false where that
/// is too often, or nothing can follow.
bool Parser::guardRest(const Stmt &loop, Block &block, unsigned &count) {
  auto found = find_if(block, [](const auto &stmt) { return mayLeave(*stmt); });
  if (found == block.end())
    return true;
  Stmt &leaving = **found;
  if (++count > kMaxDepth) {
    errors.error(leaving.range, "expected at most " + Twine(kMaxDepth) +
                                    " statements that leave a loop, got more");
    return false;
  }
  if (!guardRest(loop, leaving.body, count) ||
      !guardRest(loop, leaving.otherwise, count))
    return false;
  if (std::next(found) == block.end())
    return true;
  if (leaving.isLeave) {
    errors.error((*std::next(found))->range,
                 "expected nothing after '" +
                     withoutFlagMark(leaving.names[0].text) +
                     "' in its block, got a statement");
    return false;
  }
  Block rest;
  std::move(std::next(found), block.end(), std::back_inserter(rest));
  block.erase(std::next(found), block.end());
  if (!guardRest(loop, rest, count))
    return false;
  SmallVector<StringRef, 2> asked;
  if (loop.hasContinue)
    asked.push_back(kContinueFlag);
  if (loop.hasBreak)
    asked.push_back(kBreakFlag);
  block.push_back(guardBy(asked, std::move(rest)));
  return true;
}

/// Whether the statement holds a `return` of a kernel.
static bool mayReturn(const Stmt &stmt) {
  auto mayAny = [](const Block &block) {
    return any_of(block, [](const auto &inner) { return mayReturn(*inner); });
  };
  return (stmt.kind == Stmt::Return && stmt.results.empty()) ||
         mayAny(stmt.body) || mayAny(stmt.otherwise);
}

/// Makes an assignment of each `return` of a kernel, and an `if` of what may
/// follow it; false where that is too often, or nothing can follow.
bool Parser::guardReturns(Block &block, unsigned &count) {
  auto found =
      find_if(block, [](const auto &stmt) { return mayReturn(*stmt); });
  if (found == block.end())
    return true;
  Stmt &stmt = **found;
  if (++count > kMaxDepth) {
    errors.error(stmt.range, "expected at most " + Twine(kMaxDepth) +
                                 " early ends of a kernel, got more");
    return false;
  }
  Block rest;
  std::move(std::next(found), block.end(), std::back_inserter(rest));
  block.erase(std::next(found), block.end());
  if (stmt.kind == Stmt::Return) {
    if (!rest.empty())
      errors.error(rest.front()->range, "expected nothing after 'return' in "
                                        "its block, got a statement");
    stmt.kind = Stmt::Assign;
    stmt.isLeave = true;
    stmt.names.push_back({kReturnFlag, stmt.range});
    stmt.value = node(Expr::Name, "false", stmt.range.Start, {});
    stmt.value->range = stmt.range;
    return rest.empty();
  }
  if (!guardReturns(stmt.body, count) || !guardReturns(stmt.otherwise, count) ||
      !guardReturns(rest, count))
    return false;
  stmt.hasReturn = true;
  if (stmt.kind == Stmt::For) {
    Block whole;
    whole.push_back(guardBy({kReturnFlag}, std::move(stmt.body)));
    stmt.body = std::move(whole);
  }
  if (!rest.empty())
    block.push_back(guardBy({kReturnFlag}, std::move(rest)));
  return true;
}

/// Ends a kernel early; see above.
bool Parser::placeReturns(Kernel &kernel) {
  moveBehindReturns(kernel.body);
  unsigned count = 0;
  kernel.hasReturn =
      any_of(kernel.body, [](const auto &stmt) { return mayReturn(*stmt); });
  return guardReturns(kernel.body, count);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The statements of a loop; after `break` no turn does anything.
bool Parser::parseLoopBody(Stmt &stmt) {
  {
    llvm::SaveAndRestore<Stmt *> inside(loop, &stmt);
    if (!parseBlock(stmt.body))
      return false;
  }
  unsigned count = 0;
  if (!guardRest(stmt, stmt.body, count))
    return false;
  // A statement that was wrong, and is left out, may have been all.
  if (stmt.kind == Stmt::For && stmt.hasBreak && !stmt.body.empty()) {
    Block whole;
    whole.push_back(guardBy({kBreakFlag}, std::move(stmt.body)));
    stmt.body = std::move(whole);
  }
  return true;
}

bool Parser::parseWhile(Stmt &stmt) {
  stmt.kind = Stmt::While;
  advance();
  if (isTooDeep())
    return false;
  return parseCondition(stmt) && parseLoopBody(stmt);
}

/// `low..high step n`.
bool Parser::parseLimits(Stmt &stmt) {
  stmt.value = parseExpr();
  if (!token.is("..") && isForeignRange(*stmt.value)) {
    takeForeignRange(stmt);
    return true;
  }
  if (token.is("..=") || token.is(":")) {
    failHere("'..' between the limits of a loop",
             "the second limit is one past the last value: write '0..n + 1'");
    advance();
  } else if (!expect("..", "between the limits of a loop")) {
    return false;
  }
  if (stmt.value->kind == Expr::Error)
    return false;
  stmt.end = parseExpr();
  parseForeignStep(stmt);
  if (consume("step"))
    stmt.step = parseExpr();
  return true;
}

bool Parser::parseFor(Stmt &stmt) {
  stmt.kind = Stmt::For;
  advance();
  if (isTooDeep() ||
      (!expectName(stmt.names.emplace_back(), "the loop's index") &&
       !takeMisnamed(stmt.names.back(), "in ")))
    return false;
  if (token.is("=")) {
    failHere("'in' after the loop's index");
    advance();
  } else if (!expect("in", "after the loop's index")) {
    return false;
  }
  if (!parseLimits(stmt))
    return false;
  if (consume("pipeline")) {
    if (!expect("(", "after 'pipeline'") || !parseHint(stmt.hints) ||
        !expect(")", "after the stages"))
      return false;
  }
  return parseLoopBody(stmt);
}
