package doctor

import "fmt"

// Result is how a check ended.
type Result string

// The values of Result. Only Failed makes the exit code of frontdesk doctor 1.
const (
	OK      Result = "ok"
	Skipped Result = "skipped" // nothing to check, or impossible to check
	Warning Result = "warning" // works, but is probably not what the owner wants
	Failed  Result = "FAIL"    // does not work
)

// Finding is the result of a check.
type Finding struct {
	Result Result `json:"result"`
	What   string `json:"what"`
	Hint   string `json:"hint,omitempty"` // what to do about it, unless it is ok
}

func ok(format string, args ...any) Finding { return Finding{OK, fmt.Sprintf(format, args...), ""} }

func skipped(what string) Finding { return Finding{Skipped, what, ""} }

func warning(what, hint string) Finding { return Finding{Warning, what, hint} }

func failed(what, hint string) Finding { return Finding{Failed, what, hint} }
