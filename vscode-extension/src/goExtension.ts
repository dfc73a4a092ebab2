// Coexistence with the extension Go (golang.go), whose server reports errors of Go.

import * as vscode from 'vscode';

const GO_EXTENSION = 'golang.go';

/** Whether the extension for Go is enabled and runs gopls. */
export function goExtensionReports(): boolean {
  const isEnabled = vscode.extensions.getExtension(GO_EXTENSION) !== undefined;
  return isEnabled && vscode.workspace.getConfiguration('go').get('useLanguageServer', true);
}
