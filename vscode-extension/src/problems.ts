// Messages for the user about the server. If it cannot run, they contain a next step.

import type { Refused, Search } from './binary.ts';
import type { IndexState } from './session.ts';

const NAMES = {
  setting: 'crd-ls.server.path',
  bundled: 'the program of the extension',
  PATH: 'PATH',
} as const;

/** The definitions against which resources are checked. */
export function definitionsKnown({ files, isComplete }: IndexState): string {
  const where = files === 1 ? '1 file' : `${files} files`;
  return isComplete ? `definitions in ${where}` : `looking for definitions, so far in ${where}`;
}

/** One line for each rejected program. */
export function tried(refused: readonly Refused[]): string[] {
  return refused.map(({ origin, path, reason }) => `${NAMES[origin]} (${path}): ${reason}`);
}

/** The message if no program works. */
export function noServer(search: Search, remote: string | undefined): string {
  const where = remote === undefined ? 'on this machine' : `in the remote window (${remote})`;
  const [first] = tried(search.refused.filter(({ origin }) => origin === 'setting').concat(search.refused));
  return (
    `crd-ls cannot be started ${where}: ${first ?? 'no program was found'}. ` +
    'Install the extension for this platform, or name a program in crd-ls.server.path.'
  );
}

/** The message if the program of the setting does not work and another one runs instead. */
export function settingRefused(search: Search): string | undefined {
  const setting = search.refused.find(({ origin }) => origin === 'setting');
  if (setting === undefined || search.server === undefined) {
    return undefined;
  }
  return (
    `crd-ls.server.path names ${setting.path}, which cannot run: ${setting.reason}. ` +
    `${search.server.path} runs instead.`
  );
}

/** The message if the server has ended several times. */
export function endedTooOften(how: string): string {
  return `crd-ls ended ${how} several times within three minutes and was not restarted. See the output for its last messages.`;
}
