// Package https_test runs the program with domains, on free ports, with a real ACME server.
package https_test

import (
	"testing"

	"frontdesk/test/harness"
)

func TestMain(m *testing.M) { harness.Main(m) }
