package conform

import "frontdesk/contract"

// trial is a call of start_trial.
func trial(arguments string) request {
	return postJSON(contract.PathWorkspaceMCP, message("tools/call", `{"name":"start_trial","arguments":`+arguments+`}`), acceptBoth)
}

// trials are what was decided of start_trial, dry.
func trials() []Check {
	checks := []Check{
		one("D.workspace", "trial-previews", "start_trial with dry_run tells what it would create and stores nothing.",
			trial(`{"business":" AE Ltd ","email":"ada@conform.example","dry_run":true}`),
			func(a *answer) {
				a.is(200).member("result.structuredContent.dry_run", true).member("result.structuredContent.would_create.business", "AE Ltd").
					member("result.structuredContent.would_create.state", "draft").lacks(contract.HeaderRateLimit)
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
	return append(checks, Check{Section: "4.workspace", Name: "trial-creates-a-draft", Trials: 1,
		Says: "start_trial creates a free, draft-only workspace for a business.", Run: func(p *probe) {
			r := trial(`{"business":"frontdesk conform","email":"` + newMark() + `@conform.example"}`)
			r.takes = contract.TrialPolicy.Name
			a := p.send(r).is(200).member("result.structuredContent.state", "draft").has(contract.HeaderRateLimitPolicy, `"trial";q=3;w=60`)
			a.text("result.structuredContent.workspace_id")
			a.text("result.structuredContent.next")
		}}, Check{Section: "D.workspace", Name: "trial-has-its-limit", Trials: 4, Rude: true, Says: "Three trials in 60 seconds, then 429.", Run: func(p *probe) {
		r := trial(`{"business":"frontdesk conform","email":"` + newMark() + `@conform.example"}`)
		r.takes = contract.TrialPolicy.Name
		for left := 2; left >= 0; left-- {
			p.send(r).is(200).has(contract.HeaderRateLimit, contract.TrialPolicy.Remaining(left))
		}
		refusedFor(p.send(r), contract.TrialPolicy)
	}})
}
