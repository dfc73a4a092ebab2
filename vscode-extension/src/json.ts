// JSON files are numerous, and few contain Kubernetes objects: the server gets a text only when it has an object's first
// fields.

import type * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

const API_VERSION = /"apiVersion"\s*:/;
const KIND = /"kind"\s*:/;

/** Whether `text` may contain Kubernetes objects. */
export function mayBeOurs(text: string): boolean {
  return API_VERSION.test(text) && KIND.test(text);
}

type Open = (document: vscode.TextDocument) => Promise<void>;

/** Holds JSON documents back until they contain objects for the server. */
export function onlyOurJson(): Middleware {
  const held = new Map<string, Open>();
  return {
    didOpen: async (document, open) => {
      if (document.languageId === 'json' && !mayBeOurs(document.getText())) {
        held.set(document.uri.toString(), open);
      } else {
        await open(document);
      }
    },
    didChange: async (event, change) => {
      const key = event.document.uri.toString();
      const open = held.get(key);
      if (open === undefined) {
        await change(event);
      } else if (mayBeOurs(event.document.getText())) {
        held.delete(key);
        // The current text, which includes this change.
        await open(event.document);
      }
    },
    didClose: async (document, close) => {
      if (!held.delete(document.uri.toString())) {
        await close(document);
      }
    },
  };
}
