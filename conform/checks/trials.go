package checks

import (
	"frontdesk/conform"
	"frontdesk/contract"
)

// trial is a call of start_trial.
func trial(arguments string) conform.Request {
	return conform.PostJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"start_trial","arguments":`+arguments+`}`), acceptBoth)
}

// trials returns the checks of start_trial.
func trials() []conform.Check {
	checks := []conform.Check{
		one("D.workspace", "trial-previews", "start_trial with dry_run shows what it would create and stores nothing.",
			trial(`{"business":" AE Ltd ","email":"ada@conform.example","dry_run":true}`), isOK, hasMember("result.structuredContent.dry_run", true),
			hasMember("result.structuredContent.would_create.business", "AE Ltd"), hasMember("result.structuredContent.would_create.state", "draft"), lacksHeader(contract.HeaderRateLimit)),
	}
	for _, row := range []struct{ name, arguments string }{
		{"missing-business", `{"email":"ada@conform.example","dry_run":true}`}, {"missing-email", `{"business":"AE","dry_run":true}`},
		{"bad-email", `{"business":"AE","email":"ada","dry_run":true}`}, {"string-dry-run", `{"business":"AE","email":"ada@conform.example","dry_run":"yes","state":1}`},
		{"unknown-argument", `{"business":"AE","email":"ada@conform.example","dry_run":true,"plan":"pro"}`},
	} {
		checks = append(checks, one("D.workspace", "trial-"+row.name, "Invalid arguments of start_trial return code -32602.",
			trial(row.arguments), toolRefusal))
	}
	draft := trial(`{"business":"frontdesk conform","email":"{dry}@conform.example"}`)
	draft.Uses = contract.TrialPolicy.Name
	return append(checks,
		one("4.workspace", "trial-creates-a-draft", "start_trial creates a free, draft-only workspace for a business.",
			draft, isOK, hasMember("result.structuredContent.state", "draft"), hasHeader(contract.HeaderRateLimitPolicy, `"trial";q=3;w=60`),
			hasTexts("result.structuredContent.workspace_id", "result.structuredContent.next")),
		loopbackOnly(several("D.workspace", "trial-has-its-limit", "Three trials in 60 seconds, then 429.",
			send(draft, isOK, left("trial", 2)),
			send(draft, isOK, left("trial", 1)),
			send(draft, isOK, left("trial", 0)),
			send(draft, isRefusal(contract.TrialPolicy)))))
}
