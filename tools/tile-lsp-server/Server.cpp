//===- Server.cpp - Serves .tile sources to editors -----------------------===//
//
// Part of the tile project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Server.h"

#include "DeepMessages.h"
#include "Document.h"
#include "options/ExitCode.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace tile::editor;
using tile::ExitCode;

namespace {
/// Which document a request is about; the request may say more.
struct DocumentParams {
  lsp::TextDocumentIdentifier textDocument;
};

bool fromJSON(const json::Value &value, DocumentParams &result,
              json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("textDocument", result.textDocument);
}
} // namespace

namespace {
/// Answers the editor's messages, in the order in which they come.
class Server {
public:
  explicit Server(lsp::JSONTransport &transport)
      : handler(transport),
        publish(handler.outgoingNotification<lsp::PublishDiagnosticsParams>(
            "textDocument/publishDiagnostics")),
        transport(transport) {
    listen();
  }

  int run();

private:
  void listen();
  void update(const lsp::URIForFile &uri, StringRef text, int64_t version);
  const Document *find(const lsp::TextDocumentIdentifier &id) const;

  void onInitialize(const lsp::InitializeParams &params,
                    lsp::Callback<json::Value> reply);
  void onInitialized(const lsp::NoParams &) {}
  void onInvalid(const lsp::NoParams &, lsp::Callback<json::Value> reply);
  void onEarly(const lsp::NoParams &, lsp::Callback<json::Value> reply);
  void onShutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply);
  void onOpen(const lsp::DidOpenTextDocumentParams &params);
  void onChange(const lsp::DidChangeTextDocumentParams &params);
  void onClose(const lsp::DidCloseTextDocumentParams &params);
  void onHover(const lsp::TextDocumentPositionParams &params,
               lsp::Callback<std::optional<lsp::Hover>> reply);
  void onDefinition(const lsp::TextDocumentPositionParams &params,
                    lsp::Callback<std::vector<lsp::Location>> reply);
  void onCompletion(const lsp::CompletionParams &params,
                    lsp::Callback<lsp::CompletionList> reply);
  void onFormatting(const DocumentParams &params,
                    lsp::Callback<std::vector<lsp::TextEdit>> reply);

  lsp::MessageHandler handler;
  lsp::OutgoingNotification<lsp::PublishDiagnosticsParams> publish;
  lsp::JSONTransport &transport;
  /// One thread: a source compiles in less time than a letter is typed.
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  StringMap<std::unique_ptr<Document>> documents;
  bool isShutDown = false;
};
} // namespace

void Server::listen() {
  handler.method("initialize", this, &Server::onInitialize);
  handler.notification("initialized", this, &Server::onInitialized);
  handler.method("shutdown", this, &Server::onShutdown);
  handler.method(kInvalidRequest, this, &Server::onInvalid);
  handler.method(kNotInitialized, this, &Server::onEarly);
  handler.notification("textDocument/didOpen", this, &Server::onOpen);
  handler.notification("textDocument/didChange", this, &Server::onChange);
  handler.notification("textDocument/didClose", this, &Server::onClose);
  handler.method("textDocument/hover", this, &Server::onHover);
  handler.method("textDocument/definition", this, &Server::onDefinition);
  handler.method("textDocument/completion", this, &Server::onCompletion);
  handler.method("textDocument/formatting", this, &Server::onFormatting);
}

int Server::run() {
  if (Error error = transport.run(handler)) {
    lsp::Logger::error("transport: {0}", toString(std::move(error)));
    return 1;
  }
  return isShutDown ? 0 : 1;
}

void Server::onInitialize(const lsp::InitializeParams &,
                          lsp::Callback<json::Value> reply) {
  json::Object capabilities{
      {"textDocumentSync",
       json::Object{{"openClose", true},
                    {"change", int(lsp::TextDocumentSyncKind::Full)},
                    {"save", false}}},
      {"completionProvider",
       json::Object{{"triggerCharacters", {"."}}, {"resolveProvider", false}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"documentFormattingProvider", true},
  };
  reply(json::Object{{"serverInfo", json::Object{{"name", "tile-lsp-server"}}},
                     {"capabilities", std::move(capabilities)}});
}

void Server::onInvalid(const lsp::NoParams &,
                       lsp::Callback<json::Value> reply) {
  reply(make_error<lsp::LSPError>(
      "expected a request of JSON-RPC 2.0, once initialised and before the "
      "shutdown, got another message",
      lsp::ErrorCode::InvalidRequest));
}

void Server::onEarly(const lsp::NoParams &, lsp::Callback<json::Value> reply) {
  reply(make_error<lsp::LSPError>("expected 'initialize' first, got another "
                                  "request",
                                  lsp::ErrorCode::ServerNotInitialized));
}

void Server::onShutdown(const lsp::NoParams &,
                        lsp::Callback<std::nullptr_t> reply) {
  isShutDown = true;
  reply(nullptr);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void Server::update(const lsp::URIForFile &uri, StringRef text,
                    int64_t version) {
  auto document = std::make_unique<Document>(uri, text, context);
  lsp::PublishDiagnosticsParams params(uri, version);
  params.diagnostics = document->diagnostics();
  documents[uri.file()] = std::move(document);
  publish(params);
}

const Document *Server::find(const lsp::TextDocumentIdentifier &id) const {
  auto found = documents.find(id.uri.file());
  return found == documents.end() ? nullptr : found->second.get();
}

void Server::onOpen(const lsp::DidOpenTextDocumentParams &params) {
  const lsp::TextDocumentItem &item = params.textDocument;
  update(item.uri, item.text, item.version);
}

void Server::onChange(const lsp::DidChangeTextDocumentParams &params) {
  // Each change is the whole text, so the last one counts.
  if (!params.contentChanges.empty())
    update(params.textDocument.uri, params.contentChanges.back().text,
           params.textDocument.version);
}

void Server::onClose(const lsp::DidCloseTextDocumentParams &params) {
  documents.erase(params.textDocument.uri.file());
  // Marks do not outlive the document.
  publish({params.textDocument.uri, /*version=*/0});
}

void Server::onHover(const lsp::TextDocumentPositionParams &params,
                     lsp::Callback<std::optional<lsp::Hover>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->hover(params.position) : std::nullopt);
}

void Server::onDefinition(const lsp::TextDocumentPositionParams &params,
                          lsp::Callback<std::vector<lsp::Location>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->definition(params.position)
                 : std::vector<lsp::Location>());
}

void Server::onCompletion(const lsp::CompletionParams &params,
                          lsp::Callback<lsp::CompletionList> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->completion(params.position)
                 : lsp::CompletionList());
}

void Server::onFormatting(const DocumentParams &params,
                          lsp::Callback<std::vector<lsp::TextEdit>> reply) {
  const Document *document = find(params.textDocument);
  reply(document ? document->formatting() : std::vector<lsp::TextEdit>());
}

int tile::editor::serve(int argc, char **argv) {
  cl::OptionCategory category("tile-lsp-server options");
  cl::opt<bool> litTest("lit-test",
                        cl::desc("read messages separated by '// -----', "
                                 "write them indented"),
                        cl::cat(category));
  cl::opt<bool> verbose("verbose", cl::desc("log messages to stderr"),
                        cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "tile-lsp-server --language=tile\n", &errs()))
    return static_cast<int>(ExitCode::Usage);
  if (verbose)
    lsp::Logger::setLogLevel(lsp::Logger::Level::Debug);
  sys::ChangeStdinToBinary();
  lsp::JSONTransport transport(stdin, outs(),
                               litTest ? lsp::JSONStreamStyle::Delimited
                                       : lsp::JSONStreamStyle::Standard,
                               /*PrettyOutput=*/litTest);
  return Server(transport).run();
}
