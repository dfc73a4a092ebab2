// Takes each fix by its name: opens its file (without a tab, which takes most of the time), asks for the code actions at its place, applies the one with the title and
// saves. `steps.json` in the folder says what to do, `seen.json` then what could not be done.

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const PATIENCE = 20_000;

async function take(folder, step) {
  const uri = vscode.Uri.file(path.join(folder, step.file));
  const document = await vscode.workspace.openTextDocument(uri);
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
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

exports.activate = () => {
  void takeAll();
};

async function takeAll() {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const problems = [];
  for (const step of JSON.parse(fs.readFileSync(path.join(folder, 'steps.json'), 'utf8'))) {
    await take(folder, step).catch((error) => problems.push(`${step.file}, ${step.title}: ${error.message}`));
  }
  fs.writeFileSync(path.join(folder, 'seen.json'), JSON.stringify(problems));
}
