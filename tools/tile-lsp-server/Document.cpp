//===- Document.cpp - A .tile source that is open in an editor ------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"
#include "Surroundings.h"

#include "tile/Frontend/Format.h"
#include "tile/Frontend/Vocabulary.h"
#include "tile/GPU/Target.h"
#include "tile/IR/PlanKeys.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tile;
using namespace tile::editor;
using frontend::Definition;

/// A source manager with one buffer.
static SourceMgr manage(StringRef text, StringRef name) {
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text, name),
                             SMLoc());
  return sources;
}

static SMRange rangeOf(StringRef text) {
  return {SMLoc::getFromPointer(text.begin()),
          SMLoc::getFromPointer(text.end())};
}

Document::Document(const lsp::URIForFile &uri, StringRef text,
                   mlir::MLIRContext &context)
    : uri(uri), sources(manage(text, uri.file())), lines(source()),
      names(source()) {
  compile(context);
}

StringRef Document::source() const {
  return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer();
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void Document::compile(mlir::MLIRContext &context) {
  // What the verifier says has a line and a column of this file.
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        SMRange range;
        if (auto loc = diagnostic.getLocation()
                           ->findInstanceOf<mlir::FileLineColLoc>())
          range.Start = range.End = sources.FindLocForLineAndColumn(
              sources.getMainFileID(), loc.getLine(), loc.getColumn());
        found.push_back({range, diagnostic.str(), {}, {}, {}});
      });
  frontend::Options options;
  options.index = &index;
  std::vector<frontend::Diagnostic> said;
  module = frontend::compileSource(sources, options, context, said);
  found.insert(found.begin(), said.begin(), said.end());
}

lsp::Diagnostic Document::convert(const frontend::Diagnostic &said) const {
  lsp::Diagnostic result;
  result.range = lines.range(said.range);
  result.severity = said.isWarning() ? lsp::DiagnosticSeverity::Warning
                                     : lsp::DiagnosticSeverity::Error;
  result.source = "tile";
  result.message = said.message;
  if (said.isWarning())
    result.message += " [" + said.lint + "]";
  if (!said.help.empty())
    result.message += "\nhelp: " + said.help;
  for (const frontend::Diagnostic::Note &note : said.notes) {
    if (!result.relatedInformation)
      result.relatedInformation.emplace();
    lsp::Location location(uri, lines.range(note.range));
    result.relatedInformation->emplace_back(location, note.message);
  }
  return result;
}

std::vector<lsp::Diagnostic> Document::diagnostics() const {
  std::vector<lsp::Diagnostic> result;
  for (const frontend::Diagnostic &said : found)
    result.push_back(convert(said));
  return result;
}

//===----------------------------------------------------------------------===//
// Names and types
//===----------------------------------------------------------------------===//

static const frontend::FunctionInfo *findFunction(StringRef name) {
  for (const frontend::FunctionInfo &info : frontend::functionInfos())
    if (info.name == name)
      return &info;
  return nullptr;
}

/// What the word means in a block of its own kind; null where it means nothing
/// else there than in kernels.
static const frontend::FunctionInfo *findInBlock(StringRef word,
                                                 Surroundings::Block block) {
  auto find =
      [&](ArrayRef<frontend::FunctionInfo> infos) -> decltype(infos.begin()) {
    const auto *found =
        find_if(infos, [&](const auto &info) { return info.name == word; });
    return found == infos.end() ? nullptr : found;
  };
  if (block == Surroundings::Arrange)
    return find(frontend::arrangeOperations());
  if (block != Surroundings::Run)
    return nullptr;
  if (const frontend::FunctionInfo *fill = find(frontend::runFills()))
    return fill;
  return frontend::findExpectationFunction(word);
}

static std::string asCode(const Twine &text) {
  return ("```tile\n" + text + "\n```\n").str();
}

/// "`f32[64]`", or several where a function was called in several ways.
static std::string listKinds(ArrayRef<std::string> kinds) {
  std::string text;
  for (const std::string &kind : kinds)
    text += (text.empty() ? "`" : ", `") + kind + "`";
  if (kinds.size() == frontend::SourceIndex::kMaxKinds)
    text += ", ...";
  return text;
}

/// What the definition is, and which type the word that means it has.
std::string Document::describe(const Definition &definition,
                               StringRef word) const {
  std::string text = asCode(definition.text);
  ArrayRef<std::string> kinds = index.find(rangeOf(word));
  if (kinds.empty())
    kinds = index.find(rangeOf(definition.name));
  text += listKinds(kinds);
  return text + definition.comment;
}

Layouts::Place Document::placeOf(const char *at) const {
  return frontend::lineAndColumn(sources, SMLoc::getFromPointer(at));
}

const Layouts *Document::layouts() const {
  if (!lowered && module)
    lowered = std::make_unique<Layouts>(*module, kDefaultTarget);
  return lowered.get();
}

/// What the compiler decides about the expression, or about the values of the
/// definition; empty if it is no tile, or nothing is left of it.
std::string Document::describeLayout(SMRange range,
                                     const Definition *definition) const {
  ArrayRef<std::string> kinds = index.find(range);
  bool isTile = any_of(kinds, [](const std::string &kind) {
    return kind.find('[') < kind.npos;
  });
  // Part of a tensor begins with its name.
  bool isTensor = definition && definition->kind == Definition::Argument;
  const Layouts *known = isTile || isTensor ? layouts() : nullptr;
  if (!known)
    return "";
  std::string text;
  for (const std::string &decision :
       known->decisions(placeOf(range.Start.getPointer())))
    text += "\n\n" + decision;
  for (const std::string &kind : kinds) {
    std::vector<std::string> found;
    if (definition)
      found = known->named(definition->name, placeOf(definition->scopeBegin),
                           placeOf(definition->scopeEnd), kind);
    else
      found = known->at(placeOf(range.Start.getPointer()), kind);
    for (const std::string &layout : found)
      text += "\n\nlayout on " + kDefaultTarget.str() + ": `" + layout + "`";
  }
  return text;
}

StringRef Document::before(SMLoc place) const {
  return source().take_front(place.getPointer() - source().begin());
}

std::optional<lsp::Hover> Document::hover(lsp::Position position) const {
  SMLoc place = lines.place(position);
  if (names.isProse(place))
    return std::nullopt;
  StringRef word = names.wordAt(place);
  SMRange range = rangeOf(word);
  std::string text;
  if (const Definition *definition = names.find(word)) {
    text =
        describe(*definition, word) + describeLayout(rangeOf(word), definition);
  } else if (const frontend::FunctionInfo *info =
                 findInBlock(word, surroundingsOf(before(range.Start)).block)) {
    text = asCode(info->form) + info->summary.str();
  } else if (const frontend::FunctionInfo *info = findFunction(word)) {
    SMRange call = index.rangeAt(range.Start);
    text = asCode(info->form) + info->summary.str();
    if (call.isValid() && call.Start == range.Start)
      text +=
          "\n\n" + listKinds(index.find(call)) + describeLayout(call, nullptr);
  } else {
    range = index.rangeAt(place);
    if (!range.isValid())
      return std::nullopt;
    text =
        asCode(StringRef(range.Start.getPointer(),
                         range.End.getPointer() - range.Start.getPointer())) +
        listKinds(index.find(range)) + describeLayout(range, nullptr);
  }
  lsp::Hover hover(lines.range(range));
  hover.contents.value = std::move(text);
  return hover;
}

std::vector<lsp::Location> Document::definition(lsp::Position position) const {
  SMLoc place = lines.place(position);
  const Definition *definition =
      names.isProse(place) ? nullptr : names.find(names.wordAt(place));
  if (!definition)
    return {};
  return {lsp::Location(uri, lines.range(rangeOf(definition->name)))};
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

static lsp::CompletionItemKind kindOf(Definition::Kind kind) {
  switch (kind) {
  case Definition::Kernel:
  case Definition::Function:
    return lsp::CompletionItemKind::Function;
  case Definition::Parameter:
  case Definition::Value:
    return lsp::CompletionItemKind::Constant;
  case Definition::Argument:
  case Definition::Side:
  case Definition::Variable:
  case Definition::Index:
    return lsp::CompletionItemKind::Variable;
  }
  llvm_unreachable("all kinds are above");
}

static lsp::CompletionItem item(StringRef label, lsp::CompletionItemKind kind,
                                StringRef detail = "") {
  lsp::CompletionItem result(label, kind);
  result.detail = detail.str();
  return result;
}

static void addFunction(std::vector<lsp::CompletionItem> &items,
                        const frontend::FunctionInfo &info) {
  items.push_back(
      item(info.name, lsp::CompletionItemKind::Function, info.form));
  items.back().documentation =
      lsp::MarkupContent{lsp::MarkupKind::PlainText, info.summary.str()};
}

/// The functions that there are in a block of this kind.
static void addFunctions(std::vector<lsp::CompletionItem> &items,
                         Surroundings::Block block) {
  if (block == Surroundings::Run) {
    for (const frontend::FunctionInfo &info : frontend::runFills())
      addFunction(items, info);
    for (const frontend::FunctionInfo &info : frontend::expectationFunctions())
      addFunction(items, info);
    return;
  }
  if (block == Surroundings::Tune)
    for (const PlanKey &key : planKeys())
      items.push_back(
          item(key.name, lsp::CompletionItemKind::Property, key.summary));
  for (const frontend::FunctionInfo &info : frontend::functionInfos())
    addFunction(items, info);
}

/// The names of arguments that the function takes, as its form has them:
/// "load(p, mask =, other =)".
static void addArguments(std::vector<lsp::CompletionItem> &items,
                         StringRef form) {
  auto [name, list] = form.split('(');
  for (StringRef part : llvm::split(list, ',')) {
    part.consume_back(")");
    if (part.consume_back(" ="))
      items.push_back(
          item(part.trim(), lsp::CompletionItemKind::Property, form));
  }
}

/// What follows a '.' in a block of this kind.
static void addMembers(std::vector<lsp::CompletionItem> &items,
                       Surroundings::Block block) {
  if (block == Surroundings::Arrange)
    for (const frontend::FunctionInfo &info : frontend::arrangeOperations())
      addFunction(items, info);
  for (StringRef property : {"shape", "stride"})
    items.push_back(
        item(property, lsp::CompletionItemKind::Property, "of a tensor"));
}

/// The words of the language that can stand anywhere, and those of a block.
static void addVocabulary(std::vector<lsp::CompletionItem> &items,
                          Surroundings::Block block) {
  addFunctions(items, block);
  for (StringRef name : frontend::elementTypeNames())
    items.push_back(
        item(name, lsp::CompletionItemKind::TypeParameter, "element type"));
  for (StringRef word : frontend::keywords())
    items.push_back(item(word, lsp::CompletionItemKind::Keyword, "keyword"));
  for (StringRef word : frontend::contextualWords())
    items.push_back(
        item(word, lsp::CompletionItemKind::Keyword, "word in its place"));
}

lsp::CompletionList Document::completion(lsp::Position position) const {
  lsp::CompletionList list;
  SMLoc place = lines.place(position);
  if (names.isProse(place))
    return list;
  StringRef word = names.wordAt(place);
  const char *start = word.empty() ? place.getPointer() : word.begin();
  StringRef text = before(SMLoc::getFromPointer(start));
  Surroundings around = surroundingsOf(text);
  if (text.ends_with(".") && !text.ends_with("..")) {
    addMembers(list.items, around.block);
    return list;
  }
  if (around.call == "allow") {
    for (const frontend::LintInfo &lint : frontend::lints())
      list.items.push_back(
          item(lint.name, lsp::CompletionItemKind::EnumMember, lint.summary));
    return list;
  }
  const frontend::FunctionInfo *called = findInBlock(around.call, around.block);
  if (!called)
    called = findFunction(around.call);
  if (called)
    addArguments(list.items, called->form);
  llvm::SmallDenseSet<StringRef> seen;
  for (const Definition *definition : names.visibleAt(place)) {
    // The word that is being written defines nothing for itself, and tensors
    // share their sides.
    if (definition->name.begin() == word.begin() ||
        !seen.insert(definition->name).second)
      continue;
    std::string detail = definition->text;
    ArrayRef<std::string> kinds = index.find(rangeOf(definition->name));
    if (!kinds.empty())
      detail += "  " + llvm::join(kinds, ", ");
    list.items.push_back(
        item(definition->name, kindOf(definition->kind), detail));
  }
  addVocabulary(list.items, around.block);
  return list;
}

std::vector<lsp::TextEdit> Document::formatting() const {
  frontend::FormatResult result = frontend::format(source());
  if (!result.text || *result.text == source())
    return {};
  return {{lines.range(rangeOf(source())), std::move(*result.text)}};
}
