// Rules runs the API server's own code on rules in CEL, and reports the results of
// their compilation, their costs, their results, and the time of all that.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

const usage = `usage: rules COMMAND < JSON lines

  time ROUNDS   compile, price and evaluate the rules of schema nodes, and print the CPU time of each
                round as one JSON object
  answer        print for each expression what the API server makes of it, in the form of
                fixtures/cel/cases.jsonl
  spec          the same for tests of the CEL specification (cel-spec), in Kubernetes' environment
`

var commands = map[string]func(*bufio.Scanner, *json.Encoder, []string) error{
	"time":   runTime,
	"answer": runAnswer,
	"spec":   runSpec,
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 256<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	err := commands[os.Args[1]](in, encoder, os.Args[2:])
	if err == nil {
		err = in.Err()
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}
