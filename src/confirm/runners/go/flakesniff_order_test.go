package flakesniff

// Laid over a package when its tests are to run in another order than their sources': sees to the order, then goes on as the
// package would without it. No file of the project is touched: the compiler is told of this one by -overlay.

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func TestMain(m *testing.M) {
	flakesniffOrder(m, strings.Split(os.Getenv("FLAKESNIFF_GO_ORDER"), "\n"))
	os.Exit(m.Run())
}

// The list of tests is a private field of m, and has been called «tests» since Go 1.4.
func flakesniffOrder(m *testing.M, names []string) {
	field := reflect.ValueOf(m).Elem().FieldByName("tests")
	if !field.IsValid() || field.Type() != reflect.TypeOf([]testing.InternalTest{}) {
		fmt.Fprintln(os.Stderr, "flakesniff: this version of Go keeps its tests elsewhere, and their order cannot be chosen")
		os.Exit(3)
	}
	tests := (*[]testing.InternalTest)(unsafe.Pointer(field.UnsafeAddr()))
	ordered := make([]testing.InternalTest, 0, len(names))
	for _, name := range names {
		for _, test := range *tests {
			if test.Name == name {
				ordered = append(ordered, test)
			}
		}
	}
	*tests = ordered
}
