package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"cel.dev/expr/conformance/test"
	// Messages in the tests.
	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
	celgo "github.com/google/cel-go/cel"
	"google.golang.org/protobuf/encoding/protojson"
)

// specAnswer is the result of a test of the specification in the environment of stored rules.
type specAnswer struct {
	ID string `json:"id"`
	// Unstated is the reason why the test cannot be run in Kubernetes' environment.
	Unstated string `json:"unstated,omitempty"`
	outcome
}

func runSpec(_ *bufio.Scanner, out *json.Encoder, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the folder of cel-spec")
	}
	files, err := filepath.Glob(filepath.Join(args[0], "*.json"))
	if err != nil {
		return err
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file := &test.SimpleTestFile{}
		if err := protojson.Unmarshal(data, file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, section := range file.GetSection() {
			for _, one := range section.GetTest() {
				answer, err := answerTest(one)
				if err != nil {
					return fmt.Errorf("%s: %w", one.GetName(), err)
				}
				answer.ID = file.GetName() + "/" + section.GetName() + "/" + one.GetName()
				if err := out.Encode(answer); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func answerTest(one *test.SimpleTest) (res specAnswer, err error) {
	defer func() {
		if r := recover(); r != nil {
			res.Panic = fmt.Sprint(r)
		}
	}()
	env := baseEnvironment().StoredExpressionsEnv()
	var variables []celgo.EnvOption
	for _, declaration := range one.GetTypeEnv() {
		variable, err := celgo.ProtoAsDeclaration(declaration)
		if err != nil {
			return res, err
		}
		variables = append(variables, variable)
	}
	if env, err = env.Extend(variables...); err != nil {
		res.Unstated = err.Error()
		return res, nil
	}
	vars := map[string]any{}
	for name, value := range one.GetBindings() {
		bound, err := celgo.ProtoAsValue(env.CELTypeAdapter(), value.GetValue())
		if err != nil {
			res.Unstated = err.Error()
			return res, nil
		}
		vars[name] = bound
	}
	ast := res.compile(env, one.GetExpr())
	if ast == nil || one.GetCheckOnly() {
		return res, nil
	}
	return res, res.runOften(func() (evaluation, error) { return run(env, ast, vars) })
}
