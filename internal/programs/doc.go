// Package programs finds and starts the real programs that tests need beside Go.
// A test whose program is missing is skipped with a line that says what to install;
// with CI=true it fails, so that nothing is skipped there unseen.
package programs
