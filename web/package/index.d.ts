/** A text; findings and JSON refer to it by its name. */
export interface Named {
  path?: string;
  text: string;
}

export interface Choices {
  /** `1.25` or later; default: the newest release that crd-ls supports. */
  kubernetesVersion?: string;
  fieldValidation?: "strict" | "warn" | "ignore";
}

export interface Place {
  /** From 0. */
  line: number;
  /** From 0, in UTF-16 units. */
  character: number;
}

export interface Range {
  start: Place;
  end: Place;
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "information" | "hint";
  /** Problem, remedy and notes in one line. */
  message: string;
  problem: string;
  /** The remedy, as an imperative. */
  remedy?: string;
  /** Whether kube-apiserver reports it only after other errors are fixed. */
  reportedLater?: boolean;
  range: Range;
  fieldPath?: string;
  /** The answer of kube-apiserver, verbatim; absent if there is none. */
  apiServer?: {
    kind?: string;
    type?: string;
    field?: string;
    detail: string;
    message: string;
    detailOf?: number;
  };
  related?: { path: string; range: Range; message: string }[];
  relatedOmitted?: number;
  url?: string;
  /** The `id`s of the file's fixes for this finding, best first. */
  fixes: number[];
}

export interface Fix {
  id: number;
  title: string;
  applicability: "safe" | "suggested";
  edits: { range: Range; newText: string }[];
}

/** The output of `crd-ls check --output json`. */
export interface Report {
  schemaVersion: number;
  files: {
    path: string;
    diagnostics: Diagnostic[];
    fixes: Fix[];
    fixesOmitted?: number;
    fixesUnproven?: boolean;
  }[];
  summary: {
    definitions: number;
    rules: number;
    resources: number;
    errors: number;
    warnings: number;
    notJudged: { path: string; line: number; apiVersion: string; kind: string; reason: string }[];
  };
}

export interface CheckParams extends Choices {
  /** Files to check together: their resources are validated against their definitions. */
  files: Named[];
  /** Definitions for validation that are not checked themselves. */
  definitions?: Named[];
}

export interface DefinitionParams extends Choices {
  definition: Named;
}

export interface ResourceParams extends DefinitionParams {
  resource: Named;
}

export interface Traced {
  number: number;
  path: string;
  rule: string;
  value?: string;
  error?: string;
  ratchets?: boolean;
  cost: number;
  parts: { text: string; depth: number; times: number; values: ({ value: string } | { error: string })[] }[];
}

export interface Evaluated {
  /** Absent if `problem` explains why nothing was evaluated. */
  evaluated?: { kind: string; name: string; update: boolean; notCompared?: string; rules: Traced[] };
  text?: string;
  problem?: string;
}

export interface Change {
  file: string;
  line: number | null;
  column: number | null;
  oldFile: string;
  oldLine: number | null;
  oldColumn: number | null;
  definition: string;
  version: string | null;
  alpha: boolean;
  path: string;
  code: string;
  class: string;
  cause: string;
  affects: string[];
  ratchets: boolean;
  message: string;
}

export interface DefinitionCost {
  file: string;
  docIndex: number;
  line: number;
  name: string;
  versions: {
    version: string;
    error?: string;
    total: number;
    perRuleLimit: number;
    totalLimit: number;
    runtimePerCallLimit: number;
    rules: {
      path: string;
      rule: string;
      error?: string;
      perCall: number;
      maxCardinality: number;
      bounded: boolean;
      total: number;
      usesOldSelf: boolean;
      messageExpression?: string;
      messageExpressionError?: string;
      messageExpressionCost?: number;
    }[];
  }[];
}

/** A message of the Language Server Protocol. */
export type Message = Record<string, unknown>;

/** The module crashed; the engine continues with a new instance. */
export class Crash extends Error {}

export class Engine {
  /** The version of crd-ls, and the Kubernetes releases that it supports. */
  version(): { version: string; oldest: string; newest: string; default: string };
  check(params: CheckParams): Report;
  /** The texts after all safe fixes. */
  fix(params: CheckParams): { path: string; text: string; changed: boolean; isCut: boolean }[];
  sample(params: DefinitionParams): { apiVersion: string; kind: string; yaml: string; unmet?: string[] }[];
  openapi(params: DefinitionParams & { form?: "v3" | "v2" | "skeleton" }): {
    name: string;
    versions: { file: string; name: string; version: string; model: string; schemas: Record<string, unknown> }[];
    yaml: string;
  }[];
  cost(params: DefinitionParams): DefinitionCost[];
  /** The differences between the versions of each definition. */
  versions(params: DefinitionParams): { name: string; text: string }[];
  /** The results of the rules, or of `expression`, for the resource. */
  eval(params: ResourceParams & { expression?: string }): Evaluated[];
  /** The objects that kube-apiserver stores for the resource. */
  stored(params: ResourceParams): { objects: { kind: string; name: string; text: string }[]; unknown: string[] };
  diff(params: { old: Named; new: Named }): Change[];
  /** The page of a rule, as Markdown. */
  explain(code: string): string;
  /** Processes messages of the Language Server Protocol in order and returns the messages for the client. */
  lsp(messages: Message[]): Message[];
  /** Calls a method and returns the answer as JSON text. */
  text(method: string, params: unknown): string;
  call(method: string, params: unknown): unknown;
}

/** Loads the module: an address, its bytes (either may be compressed with gzip), or a compiled module. */
export function load(source?: URL | string | BufferSource | WebAssembly.Module): Promise<Engine>;
