package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"syscall"
	"time"

	celgo "github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// job is a schema node with rules, and values on which they are evaluated.
type job struct {
	Schema json.RawMessage   `json:"schema"`
	Root   bool              `json:"root"`
	Rules  []jobRule         `json:"rules"`
	Values []json.RawMessage `json:"values"`
}

type jobRule struct {
	Rule            string `json:"rule"`
	OptionalOldSelf bool   `json:"optionalOldSelf"`
	// On has pairs of indices of values, for self and oldSelf; -1 is a missing value.
	On [][2]int `json:"on"`
}

// timings is the output of a run; times are CPU time of the process, in nanoseconds.
type timings struct {
	Rules int `json:"rules"`
	// Cost is the sum of the rules' estimated maxima, for comparisons.
	Cost uint64 `json:"cost"`
	// Server is cel.Compile for each node: the environment of the node, made from the base environment that the
	// server keeps for a version; parsing, checking, the program and the estimate of each rule.
	Server []int64 `json:"server"`
	// Alone is parsing, checking and the estimate, in environments that were created earlier.
	Alone []int64 `json:"alone"`

	Evaluations int    `json:"evaluations"`
	True        int    `json:"true"`
	Failed      int    `json:"failed"`
	RuntimeCost uint64 `json:"runtimeCost"`
	// Evaluate is the evaluation of programs that were created earlier, on values that were decoded earlier.
	Evaluate []int64 `json:"evaluate"`
}

type timedNode struct {
	node
	rules  []timedRule
	values []any
}

type timedRule struct {
	jobRule
	env     *celgo.Env
	program celgo.Program
}

func runTime(in *bufio.Scanner, out *json.Encoder, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want the number of rounds")
	}
	rounds, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	var nodes []timedNode
	for in.Scan() {
		n, err := newTimedNode(in.Bytes())
		if err != nil {
			return err
		}
		nodes = append(nodes, n)
	}
	result := timings{}
	// The first round warms up.
	for round := range rounds + 1 {
		measured := timings{}
		server, err := measure(func() error { return measured.compileAsServer(nodes) })
		if err != nil {
			return err
		}
		alone, err := measure(func() error { return compileAlone(nodes, measured.Cost) })
		if err != nil {
			return err
		}
		evaluate, err := measure(func() error { return measured.evaluate(nodes) })
		if err != nil {
			return err
		}
		if round > 0 {
			measured.Server = append(result.Server, server)
			measured.Alone = append(result.Alone, alone)
			measured.Evaluate = append(result.Evaluate, evaluate)
			result = measured
		}
	}
	return out.Encode(result)
}

func newTimedNode(line []byte) (timedNode, error) {
	var j job
	if err := json.Unmarshal(line, &j); err != nil {
		return timedNode{}, err
	}
	n, err := newNode(j.Schema, j.Root)
	if err != nil {
		return timedNode{}, err
	}
	timed := timedNode{node: n}
	n.XValidations = nil
	for _, data := range j.Values {
		value, err := valueOf(data)
		if err != nil {
			return timedNode{}, err
		}
		timed.values = append(timed.values, value)
	}
	envs := map[bool]*celgo.Env{}
	for _, rule := range j.Rules {
		if envs[rule.OptionalOldSelf] == nil {
			set, err := n.environmentOf(rule.OptionalOldSelf)
			if err != nil {
				return timedNode{}, err
			}
			envs[rule.OptionalOldSelf] = set.NewExpressionsEnv()
		}
		r := timedRule{jobRule: rule, env: envs[rule.OptionalOldSelf]}
		ast, issues := r.env.Compile(rule.Rule)
		if issues != nil {
			return timedNode{}, fmt.Errorf("%q: %w", rule.Rule, issues.Err())
		}
		r.program, err = r.env.Program(ast, celgo.CostLimit(celconfig.PerCallLimit),
			celgo.CostTracking(&library.CostEstimator{}), celgo.InterruptCheckFrequency(celconfig.CheckFrequency))
		if err != nil {
			return timedNode{}, fmt.Errorf("%q: %w", rule.Rule, err)
		}
		timed.rules = append(timed.rules, r)
		n.XValidations = append(n.XValidations, apiextensionsv1.ValidationRule{Rule: rule.Rule, OptionalOldSelf: &rule.OptionalOldSelf})
	}
	return timed, nil
}

// measure is the CPU time of run on all threads, so that it includes garbage collection.
func measure(run func() error) (int64, error) {
	before, err := cpuTime()
	if err != nil {
		return 0, err
	}
	if err := run(); err != nil {
		return 0, err
	}
	after, err := cpuTime()
	return int64(after - before), err
}

func cpuTime() (time.Duration, error) {
	var usage syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), err
}

func (t *timings) compileAsServer(nodes []timedNode) error {
	loader := cel.NewExpressionsEnvLoader()
	for _, n := range nodes {
		results, err := cel.Compile(n.Structural, n.declared, celconfig.PerCallLimit, baseEnvironment(), loader)
		if err != nil {
			return err
		}
		for i, result := range results {
			if result.Error != nil {
				return fmt.Errorf("%q: %s", n.rules[i].Rule, result.Error.Detail)
			}
			t.Rules++
			t.Cost = saturatingAdd(t.Cost, result.MaxCost)
		}
	}
	return nil
}

func compileAlone(nodes []timedNode, want uint64) error {
	cost := uint64(0)
	for _, n := range nodes {
		estimator := &library.CostEstimator{SizeEstimator: &sizes{n.declared}}
		for _, rule := range n.rules {
			ast, issues := rule.env.Compile(rule.Rule)
			if issues != nil {
				return issues.Err()
			}
			estimate, err := rule.env.EstimateCost(ast, estimator)
			if err != nil {
				return err
			}
			cost = saturatingAdd(cost, estimate.Max)
		}
	}
	if cost != want {
		return fmt.Errorf("the rules cost %d alone, %d as the server compiles them", cost, want)
	}
	return nil
}

func (t *timings) evaluate(nodes []timedNode) error {
	ctx := context.Background()
	for _, n := range nodes {
		for _, rule := range n.rules {
			for _, on := range rule.On {
				vars := n.activationOf(n.value(on[0]), n.value(on[1]), rule.OptionalOldSelf)
				value, details, err := rule.program.ContextEval(ctx, vars)
				t.Evaluations++
				if err != nil {
					t.Failed++
				} else if value == types.True {
					t.True++
				}
				// A failure has no costs after an interrupt.
				if details != nil && details.ActualCost() != nil {
					t.RuntimeCost += *details.ActualCost()
				}
			}
		}
	}
	return nil
}

func (n timedNode) value(at int) *any {
	if at < 0 {
		return nil
	}
	return &n.values[at]
}

// sizes has the bounds of a schema, like the server's own estimator, which is not exported.
type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	of := s.root
	for _, name := range element.Path()[1:] {
		var next *apiservercel.DeclType
		switch name {
		case "@items", "@values":
			next = of.ElemType
		case "@keys":
			next = of.KeyType
		default:
			if field, ok := of.Fields[name]; ok {
				next = field.Type
			}
		}
		if next == nil {
			return nil
		}
		of = next
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(of.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func saturatingAdd(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
