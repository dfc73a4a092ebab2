// Oracle runs the API server's own code on files with CustomResourceDefinitions,
// and records its answers in goldens.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"

	"crd-ls/tests/oracle/internal/corpus"
	"crd-ls/tests/oracle/internal/crd"
	"crd-ls/tests/oracle/internal/golden"
	"crd-ls/tests/oracle/internal/yamldoc"
)

const usage = `usage: oracle COMMAND ...

  crd FILE...                     print the verdict on each definition, as on create
  goldens [--check] [--remarks] DIR...
                                  write the answers into the suites, and NAME.expect.json beside
                                  each other fixture, with --remarks also warnings and conditions
  minor [--check] JSONL DIR...    write the answers that differ from the goldens in DIR, for an
                                  oracle that is built with the modules of another release
  corpus [--check] CORPUS TSV     write the counts of errors in a corpus of definitions

With --check nothing is written: differences are printed, and the status is 1.
`

// errDiffers is returned by --check after the differences have been printed.
var errDiffers = errors.New("recorded answers differ from the API server's")

var commands = map[string]func([]string) error{
	"crd":     runCRD,
	"goldens": runGoldens,
	"minor":   runMinor,
	"corpus":  runCorpus,
}

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func runCRD(files []string) error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, file := range files {
		docs, err := yamldoc.ReadFile(file)
		if err != nil {
			return err
		}
		definitions, err := crd.Definitions(docs)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, definition := range definitions {
			verdict, err := crd.Create(definition)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			line := struct {
				File string `json:"file"`
				Line int    `json:"line"`
				crd.Verdict
			}{file, definition.Line, verdict}
			if err := out.Encode(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func runGoldens(args []string) error {
	set := flag.NewFlagSet("goldens", flag.ContinueOnError)
	check := set.Bool("check", false, "compare only")
	remarks := set.Bool("remarks", false, "warnings and conditions as well")
	if err := set.Parse(args); err != nil {
		return err
	}
	same := true
	for _, dir := range set.Args() {
		unchanged, err := golden.Directory(dir, *check, *remarks, os.Stdout)
		if err != nil {
			return err
		}
		same = same && unchanged
	}
	return verdictOf(*check, same)
}

func runMinor(args []string) error {
	set := flag.NewFlagSet("minor", flag.ContinueOnError)
	check := set.Bool("check", false, "compare only")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() < 2 {
		return fmt.Errorf("want a JSONL file and directories of fixtures")
	}
	same, err := golden.Differences(set.Arg(0), set.Args()[1:], *check, os.Stdout)
	if err != nil {
		return err
	}
	return verdictOf(*check, same)
}

func runCorpus(args []string) error {
	set := flag.NewFlagSet("corpus", flag.ContinueOnError)
	check := set.Bool("check", false, "compare only")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() != 2 {
		return fmt.Errorf("want a corpus directory and a TSV file")
	}
	table, err := corpus.Table(set.Arg(0))
	if err != nil {
		return err
	}
	same, err := golden.Record(set.Arg(1), table, *check, os.Stdout)
	if err != nil {
		return err
	}
	return verdictOf(*check, same)
}

func verdictOf(check, same bool) error {
	if check && !same {
		return errDiffers
	}
	return nil
}
