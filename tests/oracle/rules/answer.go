package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"

	celgo "github.com/google/cel-go/cel"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// asked is an expression in the format of fixtures/cel; the release is the one in go.mod.
type asked struct {
	ID              string          `json:"id,omitempty"`
	Schema          string          `json:"schema"`
	Expr            string          `json:"expr"`
	Kind            string          `json:"kind,omitempty"`
	Root            bool            `json:"root,omitempty"`
	Stored          bool            `json:"stored,omitempty"`
	OptionalOldSelf bool            `json:"optionalOldSelf,omitempty"`
	Object          json.RawMessage `json:"object,omitempty"`
	ObjectFile      string          `json:"objectFile,omitempty"`
	OldSelf         json.RawMessage `json:"oldSelf,omitempty"`
	OldSelfFile     string          `json:"oldSelfFile,omitempty"`
}

type answered struct {
	asked
	outcome
	Cost        *uint64 `json:"cost,omitempty"`
	UsesOldSelf bool    `json:"usesOldSelf,omitempty"`
}

// outcome is the result of an expression.
type outcome struct {
	// Issues are [line, column, message], or [message] for stages after the checker.
	Issues [][]any `json:"issues,omitempty"`
	Type   string  `json:"type,omitempty"`
	evaluation
}

type evaluation struct {
	// Value is absent without evaluation; a null value is written.
	Value       *json.RawMessage `json:"value,omitempty"`
	RuntimeCost *uint64          `json:"runtimeCost,omitempty"`
	EvalError   string           `json:"evalError,omitempty"`
	// Random is whether evaluations differ because Go iterates over maps in random order. If only the cost differs, it is
	// omitted; if the outcome differs as well, all results are omitted.
	Random bool   `json:"random,omitempty"`
	Panic  string `json:"panic,omitempty"`
}

func runAnswer(in *bufio.Scanner, out *json.Encoder, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the folder with schemas.json and objects/")
	}
	data, err := os.ReadFile(filepath.Join(args[0], "schemas.json"))
	if err != nil {
		return err
	}
	var schemas map[string]json.RawMessage
	if err := json.Unmarshal(data, &schemas); err != nil {
		return err
	}
	for in.Scan() {
		var a asked
		if err := json.Unmarshal(in.Bytes(), &a); err != nil {
			return err
		}
		if schemas[a.Schema] == nil {
			return fmt.Errorf("no schema %q", a.Schema)
		}
		answer, err := a.answer(schemas[a.Schema], filepath.Join(args[0], "objects"))
		if err != nil {
			return fmt.Errorf("%q: %w", a.Expr, err)
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return nil
}

func (a asked) answer(schema json.RawMessage, objects string) (res answered, err error) {
	res.asked = a
	defer func() {
		if r := recover(); r != nil {
			res.Panic = fmt.Sprint(r)
		}
	}()
	n, err := newNode(schema, a.Root)
	if err != nil {
		return res, err
	}
	set, err := n.environmentOf(a.OptionalOldSelf)
	if err != nil {
		return res, err
	}
	env := set.NewExpressionsEnv()
	if a.Stored {
		env = set.StoredExpressionsEnv()
	}
	ast := res.compile(env, a.Expr)
	if ast == nil {
		return res, nil
	}
	if err := res.price(n); err != nil {
		return res, err
	}
	self, err := value(a.Object, a.ObjectFile, objects)
	if err != nil || self == nil {
		return res, err
	}
	old, err := value(a.OldSelf, a.OldSelfFile, objects)
	if err != nil {
		return res, err
	}
	return res, res.runOften(func() (evaluation, error) {
		return run(env, ast, n.activationOf(self, old, a.OptionalOldSelf))
	})
}

// tries is the number of evaluations of an expression that check whether the outcome is always the same.
const tries = 8

func (o *outcome) runOften(run func() (evaluation, error)) (err error) {
	if o.evaluation, err = run(); err != nil {
		return err
	}
	for range tries - 1 {
		again, err := run()
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(again.RuntimeCost, o.RuntimeCost) {
			o.RuntimeCost, again.RuntimeCost, o.Random = nil, nil, true
		}
		if again.EvalError != o.EvalError || !reflect.DeepEqual(again.Value, o.Value) {
			o.evaluation = evaluation{Random: true}
			return nil
		}
	}
	return nil
}

func value(inline json.RawMessage, file, folder string) (*any, error) {
	if inline == nil && file == "" {
		return nil, nil
	}
	if inline == nil {
		data, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			return nil, err
		}
		inline = data
	}
	v, err := valueOf(inline)
	return &v, err
}

func (o *outcome) compile(env *celgo.Env, expr string) *celgo.Ast {
	ast, issues := env.Compile(expr)
	if issues != nil {
		for _, e := range issues.Errors() {
			o.Issues = append(o.Issues, []any{e.Location.Line(), e.Location.Column() + 1, normalized(e.Message)})
		}
		return nil
	}
	o.Type = normalized(ast.OutputType().String())
	return ast
}

func run(env *celgo.Env, ast *celgo.Ast, vars any) (e evaluation, err error) {
	program, err := env.Program(ast, celgo.CostLimit(celconfig.PerCallLimit),
		celgo.CostTracking(&library.CostEstimator{}), celgo.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		e.EvalError = normalized("program instantiation failed: " + err.Error())
		return e, nil
	}
	result, details, err := program.ContextEval(context.Background(), vars)
	if details != nil {
		e.RuntimeCost = details.ActualCost()
	}
	if err != nil {
		e.EvalError = normalized(err.Error())
		return e, nil
	}
	data, err := json.Marshal(encode(result))
	raw := json.RawMessage(data)
	e.Value = &raw
	return e, err
}

// price gets the costs from the server itself, with the expression as a rule or a messageExpression of the node.
func (a *answered) price(n node) error {
	rule := apiextensionsv1.ValidationRule{Rule: a.Expr, OptionalOldSelf: &a.OptionalOldSelf}
	if a.Kind == "messageExpression" {
		rule.Rule, rule.MessageExpression = "true", a.Expr
	}
	n.XValidations = apiextensionsv1.ValidationRules{rule}
	loader := cel.NewExpressionsEnvLoader()
	if a.Stored {
		loader = cel.StoredExpressionsEnvLoader()
	}
	results, err := cel.Compile(n.Structural, n.declared, celconfig.PerCallLimit, baseEnvironment(), loader)
	if err != nil {
		return err
	}
	result := results[0]
	failure, cost := result.Error, result.MaxCost
	if a.Kind == "messageExpression" {
		failure, cost = result.MessageExpressionError, result.MessageExpressionMaxCost
	}
	if failure != nil {
		a.Issues = [][]any{{normalized(failure.Detail)}}
		return nil
	}
	a.Cost, a.UsesOldSelf = &cost, result.UsesOldSelf
	return nil
}
