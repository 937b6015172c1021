//===- DeepMessages.cpp - Keeps deep nesting from the servers -------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeepMessages.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "tile/IR/Nesting.h"
#include "tile/Runtime/JsonDepth.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <thread>
#include <unistd.h>

using namespace tile;
using namespace tile::editor;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

//===----------------------------------------------------------------------===//
// What stands for a deep document
//===----------------------------------------------------------------------===//

namespace {
/// A dialect whose one op is an error.
class DeepDialect : public mlir::Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeepDialect)

  explicit DeepDialect(mlir::MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                mlir::TypeID::get<DeepDialect>()) {}

  static constexpr llvm::StringLiteral getDialectNamespace() {
    return "tile_deep";
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return [](mlir::OpAsmParser &parser, mlir::OperationState &) {
      // Without the op's name in front, which the editor has never seen.
      mlir::Location place = parser.getEncodedSourceLoc(parser.getNameLoc());
      return mlir::ParseResult(
          mlir::emitError(place)
          << "expected IR that nests at most " << kMaxNesting
          << " deep, got more: take inner regions or attributes apart");
    };
  }
};
} // namespace

void editor::registerDeepDocuments(mlir::DialectRegistry &registry) {
  registry.insert<DeepDialect>();
}

/// The text for one that nests too deep at `place`: the error is there.
static std::string deepDocument(StringRef text, size_t place) {
  std::string result = text.take_front(place).str();
  for (char &c : result)
    if (c != '\n')
      c = ' ';
  return result + "tile_deep.document";
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// Replaces `object`'s "text" if it is IR that nests too deep; whether it is.
static bool replaceDeepText(json::Object *object) {
  std::optional<StringRef> text =
      object ? object->getString("text") : std::nullopt;
  std::optional<size_t> place = text ? findDeepNesting(*text) : std::nullopt;
  if (!place)
    return false;
  (*object)["text"] = deepDocument(*text, *place);
  return true;
}

/// The same for a message that opens or changes a document.
static bool replaceDeepTexts(json::Value &message) {
  json::Object *request = message.getAsObject();
  json::Object *params = request ? request->getObject("params") : nullptr;
  if (!params)
    return false;
  bool isReplaced = replaceDeepText(params->getObject("textDocument"));
  if (json::Array *changes = params->getArray("contentChanges"))
    for (json::Value &change : *changes)
      isReplaced |= replaceDeepText(change.getAsObject());
  return isReplaced;
}

namespace {
/// What the protocol says of the order of messages.  A request that cannot be
/// answered becomes one of a method that the server answers with the error.
class MessageOrder {
public:
  explicit MessageOrder(bool isIR) : isIR(isIR) {}

  /// Nothing where the message may be handed on; else what to hand on in its
  /// place, which is empty where nothing is.
  std::optional<std::string> check(const json::Value &message);

private:
  /// The server for IR keeps its own order.
  bool isIR;
  bool isInitialized = false, isShutDown = false;
};
} // namespace

static std::string callOf(StringRef method, json::Value id) {
  return llvm::formatv("{0}", json::Value(json::Object{{"jsonrpc", "2.0"},
                                                       {"id", std::move(id)},
                                                       {"method", method},
                                                       {"params", nullptr}}))
      .str();
}

std::optional<std::string> MessageOrder::check(const json::Value &message) {
  const json::Object *object = message.getAsObject();
  const json::Value *id = object ? object->get("id") : nullptr;
  std::optional<StringRef> method =
      object ? object->getString("method") : std::nullopt;
  bool isReply = id && (object->get("result") || object->get("error"));
  bool isMessage = object && (method || isReply) &&
                   object->getString("jsonrpc") == StringRef("2.0");
  if (!isMessage)
    return callOf(kInvalidRequest, id ? *id : json::Value(nullptr));
  if (isIR || !method || *method == "exit")
    return std::nullopt;
  if (*method == "initialize" && !isInitialized) {
    isInitialized = true;
    return std::nullopt;
  }
  bool isRefused = !isInitialized || isShutDown || *method == "initialize";
  isShutDown |= *method == "shutdown" && isInitialized;
  if (!isRefused)
    return std::nullopt;
  return !id ? std::string()
             : callOf(isInitialized ? kInvalidRequest : kNotInitialized, *id);
}

namespace {
/// Reads messages, and writes those that the server may see.
class MessageFilter {
public:
  MessageFilter(std::FILE *in, int out, lsp::JSONStreamStyle style, bool isIR)
      : input(in, style), output(out, /*shouldClose=*/true), style(style),
        isIR(isIR), order(isIR) {}

  void run();

private:
  void handOn(std::string message);

  lsp::JSONTransportInputOverFile input;
  llvm::raw_fd_ostream output;
  lsp::JSONStreamStyle style;
  bool isIR;
  MessageOrder order;
};
} // namespace

void MessageFilter::handOn(std::string message) {
  if (runtime::Status status = runtime::checkJsonDepth(message); !status) {
    // The server's thread logs to the same stream: a line is written at once.
    llvm::errs() << "tile-lsp-server: a message is left out: " +
                        status.error().text() + "\n";
    return;
  }
  llvm::Expected<json::Value> value = json::parse(message);
  // What is no JSON, the server reports.
  if (!value) {
    llvm::consumeError(value.takeError());
  } else if (std::optional<std::string> other = order.check(*value)) {
    message = std::move(*other);
    if (message.empty())
      return;
  } else if (isIR && replaceDeepTexts(*value)) {
    message = llvm::formatv("{0}", *value).str();
  }
  if (style == lsp::JSONStreamStyle::Delimited)
    output << message << "\n// -----\n";
  else
    output << "Content-Length: " << message.size() << "\r\n\r\n" << message;
  output.flush();
}

void MessageFilter::run() {
  std::string message;
  while (!input.isEndOfInput() && !input.hasError())
    if (llvm::succeeded(input.readMessage(message)))
      handOn(std::move(message));
}

runtime::Status editor::filterStandardInput(lsp::JSONStreamStyle style,
                                            bool isIR) {
  int ends[2], editorEnd = dup(STDIN_FILENO);
  std::FILE *fromEditor = editorEnd < 0 ? nullptr : fdopen(editorEnd, "rb");
  if (!fromEditor || pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
    return runtime::Error(std::string("expected to read standard input: ") +
                          std::strerror(errno));
  close(ends[0]);
  std::thread([=, out = ends[1]] {
    MessageFilter(fromEditor, out, style, isIR).run();
  }).detach();
  return runtime::Status::success();
}
