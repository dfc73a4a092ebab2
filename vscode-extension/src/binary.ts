// Finds the program that runs as the server.

import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';

/** Where a program was found. */
export type Origin = 'setting' | 'bundled' | 'PATH';

/** A program that may be the server. */
export interface Candidate {
  readonly origin: Origin;
  readonly path: string;
}

/** A program that answered `--version` as the server does. */
export interface Server extends Candidate {
  readonly version: string;
}

/** A program that cannot be used, and why. */
export interface Refused extends Candidate {
  readonly reason: string;
}

/** The program that was found, and the programs that were rejected before it. */
export interface Search {
  readonly server: Server | undefined;
  readonly refused: readonly Refused[];
}

/** The inputs of the search. */
export interface Surroundings {
  /** The setting `crd-ls.server.path`. */
  readonly setting: string;
  /** The directory of the extension. */
  readonly extension: string;
  /** The environment variable `PATH`. */
  readonly searchPath: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The maximum time for a program to print its version, in milliseconds. */
const ANSWER_WITHIN = 10_000;
const PLATFORM = `${process.platform}-${process.arch}`;

/** The programs to try, in this order: the setting, the one in the extension, those in `PATH`. */
export function candidates(surroundings: Surroundings): Candidate[] {
  const { setting, extension, searchPath, home, platform } = surroundings;
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const name = platform === 'win32' ? 'crd-ls.exe' : 'crd-ls';
  const found: Candidate[] = [];
  if (setting.trim() !== '') {
    found.push({ origin: 'setting', path: withHome(setting.trim(), home, paths) });
  }
  found.push({ origin: 'bundled', path: paths.join(extension, 'server', name) });
  for (const directory of searchPath.split(paths.delimiter)) {
    // A relative entry would allow the open directory to choose the program.
    if (paths.isAbsolute(directory)) {
      found.push({ origin: 'PATH', path: paths.join(directory, name) });
    }
  }
  return found;
}

function withHome(text: string, home: string, paths: path.PlatformPath): string {
  return text === '~' || /^~[/\\]/.test(text) ? paths.join(home, text.slice(1)) : text;
}

/** The first candidate that works. Entries of `PATH` without the program are not failures. */
export async function search(
  surroundings: Surroundings,
  ask: (program: string) => Promise<string> = askVersion,
): Promise<Search> {
  const refused: Refused[] = [];
  for (const candidate of candidates(surroundings)) {
    try {
      const version = parseVersion(await ask(candidate.path));
      return { server: { ...candidate, version }, refused };
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (candidate.origin !== 'PATH' || !isMissing) {
        refused.push({ ...candidate, reason: reasonOf(error) });
      }
    }
  }
  return { server: undefined, refused };
}

/** The version in `crd-ls 0.1.0`. */
function parseVersion(output: string): string {
  const version = /^crd-ls (\S+)/.exec(output)?.[1];
  if (version === undefined) {
    const line = output.trim().split('\n')[0] ?? '';
    throw new Error(`this is a different program: it answers --version with "${line.slice(0, 80)}"`);
  }
  return version;
}

/** The output of `program --version`. */
async function askVersion(program: string): Promise<string> {
  if (!path.isAbsolute(program)) {
    throw new Error('the path is not absolute');
  }
  const options = { timeout: ANSWER_WITHIN, windowsHide: true };
  const { stdout } = await promisify(execFile)(program, ['--version'], options);
  return stdout;
}

/** Node's error if a program cannot be run or does not end as expected. */
interface Failure {
  readonly code?: string | number | null;
  readonly killed?: boolean;
  readonly signal?: string | null;
  readonly message: string;
}

/** A readable reason why a program cannot be run. */
export function reasonOf(error: unknown): string {
  const { code, killed, signal, message } = error as Failure;
  switch (code) {
    case 'ENOENT':
      return 'the program does not exist, or a library that it needs is missing';
    case 'EACCES':
    case 'EPERM':
      return 'running it is not permitted (by its permissions, or by a policy of this machine)';
    case 'ENOEXEC':
    case 'EBADARCH':
    case 'UNKNOWN':
    case 'EFTYPE':
      return `it is built for a platform other than this one (${PLATFORM})`;
    default:
  }
  if (killed === true) {
    return `it did not answer --version within ${ANSWER_WITHIN / 1000} seconds`;
  }
  if (typeof signal === 'string') {
    return `it was stopped by ${signal}`;
  }
  if (typeof code === 'number') {
    // The system passes a program for another platform to a shell, which fails in its own way.
    return `it ended with status ${code}; it may be built for a platform other than this one (${PLATFORM})`;
  }
  return message;
}
