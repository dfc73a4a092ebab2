// CEL is coloured in the rules of a schema, in every style of scalars, and nowhere else. The grammar of YAML is VS
// Code's own, which tests/vscode/install.mjs installs beside its copy of the extension.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const OURS = path.join(import.meta.dirname, '../syntaxes');
const YAML = path.join(
  import.meta.dirname,
  '../../tools/node_modules/code-server/lib/vscode/extensions/yaml/syntaxes',
);
const INJECTED = ['validations.yaml.crd-ls', 'rules.yaml.crd-ls'];
/** The grammar of markers needs only line comments of VS Code's grammar of Go. */
const GO = {
  scopeName: 'source.go',
  patterns: [
    {
      name: 'comment.line.double-slash.go',
      begin: '//',
      end: '$',
    },
  ],
  repository: {},
};

/** The words of `text` that are coloured as CEL, by line, each with the end of its scope. */
async function coloured(text: string, scope = 'source.yaml'): Promise<string[]> {
  const grammar = await (await registry()).loadGrammar(scope);
  assert.ok(grammar);
  let state = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const isCel = (scopes: string[]): boolean => scopes.includes('meta.embedded.cel.crd-ls');
    const words = tokens
      .filter(({ scopes }) => isCel(scopes))
      .map(({ startIndex, endIndex, scopes }) => {
        const kind = /^(\w+)\.(?:\w+\.)*cel$/.exec(scopes.at(-1) ?? '')?.[1];
        const word = line.slice(startIndex, endIndex).trim();
        return kind === undefined ? '' : `${word}:${kind}`;
      });
    return words.filter((word) => word !== '').join(' ');
  });
}

async function registry(): Promise<textmate.Registry> {
  const require = createRequire(import.meta.url);
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await loadOnce(wasm);
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scope) => {
      if (scope === GO.scopeName) {
        return Promise.resolve(textmate.parseRawGrammar(JSON.stringify(GO), 'go.json'));
      }
      const file = fileOf(scope);
      return Promise.resolve(
        file === undefined ? null : textmate.parseRawGrammar(readFileSync(file, 'utf8'), file),
      );
    },
    getInjections: (scope) =>
      scope === 'source.yaml' ? INJECTED : scope === GO.scopeName ? ['markers.go.crd-ls'] : undefined,
  });
}

let loaded: Promise<void> | undefined;
function loadOnce(wasm: Buffer): Promise<void> {
  loaded ??= oniguruma.loadWASM(new Uint8Array(wasm));
  return loaded;
}

/** `source.yaml.1.2` is yaml-1.2.tmLanguage.json, `rules.yaml.crd-ls` is our rules.tmLanguage.json. */
function fileOf(scope: string): string | undefined {
  const ours = scope === 'source.cel.crd-ls' ? 'cel' : scope.replace(/\.(yaml|go)\.crd-ls$/, '');
  const yaml = scope.replace(/^source\.yaml\.?/, '');
  const file = scope.endsWith('.crd-ls')
    ? path.join(OURS, `${ours}.tmLanguage.json`)
    : path.join(YAML, yaml === '' ? 'yaml.tmLanguage.json' : `yaml-${yaml}.tmLanguage.json`);
  return existsSync(file) ? file : undefined;
}

/** A test that needs the grammar of YAML. */
function yamlTest(name: string, run: () => Promise<void>): void {
  test(name, { skip: !existsSync(YAML) && `there is no ${YAML}` }, run);
}

/** The coloured words in `rule: ...`, line by line. */
async function rule(text: string): Promise<string[]> {
  const lines = await coloured(
    `spec:\n  x-kubernetes-validations:\n  - ${text}\n    message: true\n  type: null\n`,
  );
  assert.deepEqual(lines.slice(-3), ['', '', ''], 'what comes behind');
  return lines.slice(2, -3);
}

yamlTest('plain', async () => {
  assert.deepEqual(await rule('rule: self.a > 1 # true'), ['self:variable a:variable >:keyword 1:constant']);
  assert.deepEqual(await rule('rule: self\n      && true'), ['self:variable', '&&:keyword true:constant']);
});

yamlTest('literal and folded', async () => {
  assert.deepEqual(await rule('rule: |\n      x in [2]\n\n      # true'), [
    '',
    'x:variable in:keyword 2:constant',
    '',
    'true:constant',
  ]);
  assert.deepEqual(await rule("messageExpression: >- # true\n      'a' + b"), [
    '',
    "'a':string +:keyword b:variable",
  ]);
});

yamlTest('quoted', async () => {
  assert.deepEqual(await rule('rule: "a == \'b\' || c == \\"d\\"" # true'), [
    'a:variable ==:keyword \'b\':string ||:keyword c:variable ==:keyword \\"d\\":string',
  ]);
  assert.deepEqual(await rule("rule: 'a == \"b\" || c == ''d'''"), [
    "a:variable ==:keyword \"b\":string ||:keyword c:variable ==:keyword ''d'':string",
  ]);
});

yamlTest('in braces', async () => {
  const lines = await coloured(
    'x-kubernetes-validations:\n- {rule: a in b, message: true}\n- {message: null, rule: "true"}',
  );
  assert.deepEqual(lines.slice(1), ['a:variable in:keyword b:variable', 'true:constant']);
});

yamlTest('not what other tools call a rule', async () => {
  const text = 'groups:\n- rule: true in null\n  expr: |\n    rule: true\nrule: true\n';
  assert.deepEqual((await coloured(text)).join(''), '');
  assert.deepEqual((await rule('message: "rule: true"')).join(''), '');
});

test('markers in Go', async () => {
  const marker = '// +kubebuilder:validation:XValidation';
  const lines = await coloured(
    [
      `${marker}:rule="self.a > 1",message="not self.a"`,
      `${marker}:message="x",rule=\`b == "c"\``,
      `${marker}:rule="a == \\"b\\""`,
      '// +kubebuilder:validation:MaxLength=5',
      'var a = "self.a > 1"',
    ].join('\n'),
    'source.go',
  );
  assert.deepEqual(lines, [
    'self:variable a:variable >:keyword 1:constant',
    'b:variable ==:keyword "c":string',
    'a:variable ==:keyword \\"b\\":string',
    '',
    '',
  ]);
});
