/** A text; its name is what findings and JSON call it. */
export interface Named {
  path?: string;
  text: string;
}

export interface Choices {
  /** `1.25` and later; without it the newest release that crd-ls knows. */
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
  /** What to do, as an imperative. */
  remedy?: string;
  /** Whether kube-apiserver reports it only after other errors are fixed. */
  reportedLater?: boolean;
  range: Range;
  fieldPath?: string;
  /** What kube-apiserver answers, word for word; absent where it says nothing. */
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
  /** The `id`s of the file's fixes that repair it, best first. */
  fixes: number[];
}

export interface Fix {
  id: number;
  title: string;
  applicability: "safe" | "suggested";
  edits: { range: Range; newText: string }[];
}

/** What `crd-ls check --output json` prints. */
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
  /** Checked together: their definitions judge their resources. */
  files: Named[];
  /** Definitions that judge and are not checked. */
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
  /** Absent where `problem` says why nothing was evaluated. */
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

/** The module crashed; the engine goes on with an empty one. */
export class Crash extends Error {}

export class Engine {
  /** The version of crd-ls, and the releases of Kubernetes that it knows. */
  version(): { version: string; oldest: string; newest: string; default: string };
  check(params: CheckParams): Report;
  /** The texts with all safe fixes. */
  fix(params: CheckParams): { path: string; text: string; changed: boolean; isCut: boolean }[];
  sample(params: DefinitionParams): { apiVersion: string; kind: string; yaml: string; unmet?: string[] }[];
  openapi(params: DefinitionParams & { form?: "v3" | "v2" | "skeleton" }): {
    name: string;
    versions: { file: string; name: string; version: string; model: string; schemas: Record<string, unknown> }[];
    yaml: string;
  }[];
  cost(params: DefinitionParams): DefinitionCost[];
  /** What the versions of each definition say otherwise than each other. */
  versions(params: DefinitionParams): { name: string; text: string }[];
  /** What comes of the rules, or of `expression`, on the resource. */
  eval(params: ResourceParams & { expression?: string }): Evaluated[];
  /** What kube-apiserver stores of the resource. */
  stored(params: ResourceParams): { objects: { kind: string; name: string; text: string }[]; unknown: string[] };
  diff(params: { old: Named; new: Named }): Change[];
  /** The page of a rule, as Markdown. */
  explain(code: string): string;
  /** Takes messages of the Language Server Protocol in their order and gives those for the client. */
  lsp(messages: Message[]): Message[];
  /** Calls a method and gives the answer as it is written. */
  text(method: string, params: unknown): string;
  call(method: string, params: unknown): unknown;
}

/** Loads the module: an address, its bytes (either may be packed with gzip), or a compiled module. */
export function load(source?: URL | string | BufferSource | WebAssembly.Module): Promise<Engine>;
