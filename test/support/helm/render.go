// Renders templates as Helm does: Go's template engine with the functions of sprig, and those that Helm adds. Input and output are JSON, which
// is YAML too.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"

	"github.com/Masterminds/sprig"
)

type job struct {
	Files map[string]string
	Scope map[string]interface{}
}

func main() {
	var given job
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		fail(err)
	}
	all := template.New("chart").Option("missingkey=error").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text bytes.Buffer
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := json.Marshal(value)
			return string(text), err
		},
	})
	for name, text := range given.Files {
		if _, err := all.New(name).Parse(text); err != nil {
			fail(err)
		}
	}
	rendered := map[string]string{}
	for name := range given.Files {
		var text bytes.Buffer
		if err := all.ExecuteTemplate(&text, name, given.Scope); err != nil {
			fail(err)
		}
		rendered[name] = text.String()
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
