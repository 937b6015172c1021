//===- Census.cpp - What PTX is made of -----------------------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tile/Target/Census.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tile;
using llvm::StringRef;

namespace {
/// Instructions that go by the start of their mnemonic.  The first entry that
/// fits takes an instruction; an entry without a name leaves it out.
struct Kind {
  StringRef prefix, name;
};

/// Counts the statements of one text.
class Counter {
public:
  Counter();

  void count(StringRef statement);

  Census census;

private:
  CensusRow &row(StringRef name);
  void countInstruction(StringRef mnemonic, StringRef operands);
  void countAccess(StringRef mnemonic);
  void countDirective(StringRef statement);
};
} // namespace

static constexpr Kind kKinds[] = {
    {"mma.sync", "mma.sync"},
    {"wgmma.mma_async", "wgmma.mma_async"},
    {"ldmatrix.", "ldmatrix"},
    {"stmatrix.", "stmatrix"},
    {"cp.async.ca.", "cp.async"},
    {"cp.async.cg.", "cp.async"},
    {"cp.async.bulk.commit_group", ""},
    {"cp.async.bulk.wait_group", ""},
    {"cp.async.bulk.prefetch", ""},
    {"cp.async.bulk.", "cp.async.bulk"},
    {"barrier.cluster.", "barrier.cluster"},
    {"barrier.", "bar"},
    {"bar.warp.", "bar.warp"},
    {"bar.", "bar"},
    {"mbarrier.", "mbarrier"},
    {"shfl.", "shfl"},
    {"atom.", "atom"},
    {"red.async.", ""},
    {"red.", "red"},
};

/// Every row, in the order in which they are printed.
static constexpr StringRef kRows[] = {
    "mma.sync",   "wgmma.mma_async",
    "ldmatrix",   "stmatrix",
    "cp.async",   "cp.async.bulk",
    "ld.global",  "st.global",
    "ld.shared",  "st.shared",
    "ld.local",   "st.local",
    "ld.generic", "st.generic",
    "atom",       "red",
    "shfl",       "bar",
    "bar.warp",   "barrier.cluster",
    "mbarrier",
};

Counter::Counter() {
  for (StringRef name : kRows)
    census.rows.push_back({name, 0, {}});
}

CensusRow &Counter::row(StringRef name) {
  auto found = llvm::find_if(
      census.rows, [&](const CensusRow &entry) { return entry.name == name; });
  assert(found != census.rows.end() && "a name of kRows");
  return *found;
}

/// Bits of one element: of "b32", "f16x2", "pred"; 0 for no type.
static unsigned elementBits(StringRef type) {
  unsigned bits = 0, packed = 1;
  if (type.size() < 2 || !StringRef("bsufe").contains(type.front()) ||
      type.drop_front().consumeInteger(10, bits))
    return 0;
  StringRef rest = type.drop_front().ltrim("0123456789");
  if (rest.consume_front("x"))
    rest.getAsInteger(10, packed);
  return bits * packed;
}

/// Counts "ld" and "st" by state space and by what a thread moves (PTX ISA,
/// "Data Movement and Conversion Instructions": ld, st).
void Counter::countAccess(StringRef mnemonic) {
  llvm::SmallVector<StringRef> parts;
  mnemonic.split(parts, '.');
  StringRef space = "generic";
  unsigned elements = 1, bits = 0;
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    StringRef known = part.split("::").first;
    if (known == "param" || known == "const")
      return;
    if (known == "global" || known == "shared" || known == "local")
      space = known;
    else if (part.size() == 2 && part.front() == 'v')
      part.drop_front().getAsInteger(10, elements);
    else if (unsigned width = elementBits(part))
      bits = width;
  }
  CensusRow &access = row((parts.front() + "." + space).str());
  ++access.count;
  ++access.countByBytes[elements * bits / 8];
}

void Counter::countInstruction(StringRef mnemonic, StringRef operands) {
  if (mnemonic.starts_with("ld.") || mnemonic.starts_with("st."))
    return countAccess(mnemonic);
  const auto *kind = llvm::find_if(kKinds, [&](const Kind &entry) {
    return mnemonic.starts_with(entry.prefix);
  });
  if (kind == std::end(kKinds) || kind->name.empty())
    return;
  CensusRow &counted = row(kind->name);
  ++counted.count;
  if (kind->name != "cp.async")
    return;
  // cp.async ... [to], [from], BYTES{, BYTES THAT ARE READ}.
  unsigned bytes = 0;
  StringRef afterFrom = operands.split(']').second.split(']').second;
  if (!afterFrom.ltrim(", \t").consumeInteger(10, bytes))
    ++counted.countByBytes[bytes];
}

/// Adds up `.local .align 8 .b8 __local_depot0[64]`.
void Counter::countDirective(StringRef statement) {
  if (!statement.consume_front(".local"))
    return;
  unsigned bits = 8;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(statement, words);
  for (StringRef word : words)
    if (word.consume_front("."))
      if (unsigned width = elementBits(word))
        bits = width;
  uint64_t elements = 1, side;
  while (statement.contains('[')) {
    statement = statement.split('[').second;
    if (!statement.consumeInteger(10, side))
      elements *= side;
  }
  census.localBytes += elements * bits / 8;
}

void Counter::count(StringRef statement) {
  statement = statement.ltrim();
  if (statement.starts_with("."))
    return countDirective(statement);
  if (statement.starts_with("@"))
    statement = statement.drop_until(llvm::isSpace).ltrim();
  auto isMnemonic = [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '_' || c == ':';
  };
  StringRef mnemonic = statement.take_while(isMnemonic);
  // A label ends in a colon; a mnemonic never does.
  if (!mnemonic.empty() && !mnemonic.ends_with(":"))
    countInstruction(mnemonic, statement.drop_front(mnemonic.size()));
}

const CensusRow *Census::find(StringRef name) const {
  auto found = llvm::find_if(
      rows, [&](const CensusRow &entry) { return entry.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

Census tile::takeCensus(StringRef ptx) {
  Counter counter;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    ptx = rest;
    line = line.split("//").first;
    // Inline assembly puts several statements on a line, and braces.
    while (!line.empty()) {
      auto [statement, next] = line.split(';');
      counter.count(statement.ltrim(" \t{}"));
      line = next;
    }
  }
  return std::move(counter.census);
}

void tile::printCensus(const Census &census, llvm::raw_ostream &stream) {
  for (const CensusRow &row : census.rows) {
    stream << row.name << ": " << row.count;
    StringRef separator = " (";
    for (auto [bytes, count] : row.countByBytes) {
      stream << separator << bytes << (bytes == 1 ? " byte: " : " bytes: ")
             << count;
      separator = ", ";
    }
    stream << (row.countByBytes.empty() ? "\n" : ")\n");
  }
  stream << "local memory: " << census.localBytes << " bytes\n";
}
