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
			trial(`{"business":" AE Ltd ","email":"ada@conform.example","dry_run":true}`),
			func(a *conform.Answer) {
				a.HasStatus(200).HasMember("result.structuredContent.dry_run", true).HasMember("result.structuredContent.would_create.business", "AE Ltd").
					HasMember("result.structuredContent.would_create.state", "draft").LacksHeader(contract.HeaderRateLimit)
			}),
	}
	for _, row := range []struct{ name, arguments string }{
		{"missing-business", `{"email":"ada@conform.example","dry_run":true}`}, {"missing-email", `{"business":"AE","dry_run":true}`},
		{"bad-email", `{"business":"AE","email":"ada","dry_run":true}`}, {"string-dry-run", `{"business":"AE","email":"ada@conform.example","dry_run":"yes","state":1}`},
		{"unknown-argument", `{"business":"AE","email":"ada@conform.example","dry_run":true,"plan":"pro"}`},
	} {
		checks = append(checks, one("D.workspace", "trial-"+row.name, "Invalid arguments of start_trial return code -32602.",
			trial(row.arguments), rpcError(contract.RPCInvalidParams)))
	}
	return append(checks, conform.Check{Section: "4.workspace", Name: "trial-creates-a-draft", Trials: 1,
		Sentence: "start_trial creates a free, draft-only workspace for a business.", Run: func(p *conform.Probe) {
			r := trial(`{"business":"frontdesk conform","email":"` + conform.NewMark() + `@conform.example"}`)
			r.Uses = contract.TrialPolicy.Name
			a := p.Send(r).HasStatus(200).HasMember("result.structuredContent.state", "draft").HasHeader(contract.HeaderRateLimitPolicy, `"trial";q=3;w=60`)
			a.Text("result.structuredContent.workspace_id")
			a.Text("result.structuredContent.next")
		}}, conform.Check{Section: "D.workspace", Name: "trial-has-its-limit", Trials: 4, LoopbackOnly: true, Sentence: "Three trials in 60 seconds, then 429.", Run: func(p *conform.Probe) {
		r := trial(`{"business":"frontdesk conform","email":"` + conform.NewMark() + `@conform.example"}`)
		r.Uses = contract.TrialPolicy.Name
		for left := 2; left >= 0; left-- {
			p.Send(r).HasStatus(200).HasHeader(contract.HeaderRateLimit, contract.TrialPolicy.Remaining(left))
		}
		refusedFor(p.Send(r), contract.TrialPolicy)
	}})
}
