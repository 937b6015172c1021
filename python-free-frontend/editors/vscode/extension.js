// Starts tile-lsp-server for .tile sources and talks to it.
const { commands, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const server = {
    command: workspace.getConfiguration("tile").get("server.path"),
    args: ["--language=tile"],
  };
  client = new LanguageClient("tile", "tile", server, {
    documentSelector: [{ scheme: "file", language: "tile" }],
  });
  return client.start();
}

exports.activate = (context) => {
  context.subscriptions.push(
    commands.registerCommand("tile.restart", async () => {
      await exports.deactivate();
      await start();
    })
  );
  return start();
};

exports.deactivate = () => client?.stop();
