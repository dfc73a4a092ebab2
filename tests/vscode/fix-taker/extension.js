// Applies each fix by its name: opens its file in a tab, requests the code actions at its place, applies the one with the
// title and saves. `steps.json` in the folder has the steps, `seen.json` the failed ones.

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** The maximum time of a step, in milliseconds. */
const PATIENCE = 30_000;
/** The number of concurrent files: most of the time, one waits for the window. */
const AT_ONCE = 6;

exports.activate = () => {
  void takeAll();
};

async function takeAll() {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const steps = JSON.parse(fs.readFileSync(path.join(folder, 'steps.json'), 'utf8'));
  const problems = [];
  const work = async () => {
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      const { file, title } = step;
      await take(folder, step).catch((error) => problems.push(`${file}, ${title}: ${error.message}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  fs.writeFileSync(path.join(folder, 'seen.json'), JSON.stringify(problems));
}

async function take(folder, step) {
  const uri = vscode.Uri.file(path.join(folder, step.file));
  const document = await vscode.workspace.openTextDocument(uri);
  await shown(document);
  const place = new vscode.Position(step.line, step.unit);
  const range = new vscode.Range(place, place);
  if (step.finding) {
    await until('findings', () => vscode.languages.getDiagnostics(uri).length > 0);
  }
  const offered = () => vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range);
  const action = await until(step.title, async () => (await offered()).find(({ title }) => title === step.title));
  if (!(await vscode.workspace.applyEdit(action.edit))) {
    throw new Error('the edit is refused');
  }
  await document.save();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter((tab) => tab.input?.uri?.fsPath === uri.fsPath));
}

let last = Promise.resolve();

/** Shows a document; the window opens one editor at a time. */
function shown(document) {
  last = last.catch(() => undefined).then(() => vscode.window.showTextDocument(document, { preview: false }));
  return last;
}

async function until(what, read) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const seen = await read();
    if (seen) {
      return seen;
    }
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
