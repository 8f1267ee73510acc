package doctor

import "fmt"

// Result is how a check ended.
type Result string

// The results. Only Failed makes the exit code of frontdesk doctor 1.
const (
	OK      Result = "ok"
	Skipped Result = "skipped" // nothing to look at, or no way to look
	Warning Result = "warning" // works, but is probably not what the owner wants
	Failed  Result = "FAIL"    // does not work
)

// Finding is the result of a check.
type Finding struct {
	Result Result `json:"result"`
	What   string `json:"what"`
	Hint   string `json:"hint,omitempty"` // what to do about it, where it is not ok
}

func ok(format string, args ...any) Finding { return Finding{OK, fmt.Sprintf(format, args...), ""} }

func skipped(what string) Finding { return Finding{Skipped, what, ""} }

func warning(what, hint string) Finding { return Finding{Warning, what, hint} }

func failed(what, hint string) Finding { return Finding{Failed, what, hint} }
