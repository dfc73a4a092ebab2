// JSON files are many, and few hold Kubernetes objects: the server hears of a text once it has an object's first fields.

import type * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient';

const API_VERSION = /"apiVersion"\s*:/;
const KIND = /"kind"\s*:/;

/** Whether `text` may hold Kubernetes objects. */
export function mayBeOurs(text: string): boolean {
  return API_VERSION.test(text) && KIND.test(text);
}

type Open = (document: vscode.TextDocument) => Promise<void>;

/** Holds back JSON documents until they are ours. */
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
        // The text as it is now, with this change.
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
