//===- TokenMutatorTest.cpp - What the fuzzer makes of a text -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TokenMutator.h"
#include "Parser.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace tile::frontend;
using tile::fuzz::mutateWords;

static bool parses(StringRef source) {
  std::vector<Diagnostic> list;
  DiagnosticList errors(list);
  Parser(source, errors).parseFile();
  return list.empty();
}

/// The examples of the language.
static std::vector<std::string> readExamples() {
  std::vector<std::string> paths, texts;
  std::error_code error;
  std::string folder = TILE_SOURCE_DIR "/python-free-frontend/examples";
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (StringRef(it->path()).ends_with(".tile"))
      paths.push_back(it->path());
  llvm::sort(paths);
  for (const std::string &path : paths)
    texts.push_back((*MemoryBuffer::getFile(path))->getBuffer().str());
  return texts;
}

// Most changes of a program leave one that parses, and all change it.
TEST(TokenMutatorTest, MostMutantsParse) {
  std::vector<std::string> examples = readExamples();
  ASSERT_GT(examples.size(), 10u);
  unsigned numMutants = 0, numParsed = 0, numUnchanged = 0;
  for (size_t i = 0; i < examples.size(); ++i) {
    EXPECT_TRUE(parses(examples[i]));
    for (unsigned seed = 0; seed < 100; ++seed) {
      std::string mutant =
          mutateWords(examples[i], examples[(i + 1) % examples.size()], seed);
      ++numMutants;
      numParsed += parses(mutant);
      numUnchanged += mutant == examples[i];
    }
  }
  RecordProperty("parsed", std::to_string(numParsed * 100 / numMutants));
  EXPECT_GE(numParsed * 100, numMutants * 75)
      << numParsed << " of " << numMutants << " parse";
  EXPECT_LE(numUnchanged * 100, numMutants);
}

// The same seed makes the same text, another one mostly another.
TEST(TokenMutatorTest, SeedDecides) {
  std::vector<std::string> examples = readExamples();
  std::set<std::string> mutants;
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::string mutant = mutateWords(examples[0], examples[1], seed);
    EXPECT_EQ(mutant, mutateWords(examples[0], examples[1], seed));
    mutants.insert(mutant);
  }
  EXPECT_GT(mutants.size(), 45u);
}

// What is no program becomes one, and no text is too strange to be changed.
TEST(TokenMutatorTest, TakesAnyText) {
  EXPECT_TRUE(parses(mutateWords("", "", 1)));
  for (StringRef text : {"\"", "{", "}", ")](", "kernel", "\x80\xff", "/*",
                         "kernel k() {", "1..", "@", "run x(", "'''"}) {
    unsigned numChanged = 0;
    for (unsigned seed = 0; seed < 50; ++seed)
      numChanged += mutateWords(text, text, seed) != text;
    EXPECT_GT(numChanged, 0u) << text.str();
  }
}
