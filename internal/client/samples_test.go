package client

import "frontdesk/contract"

// Answers of the service of an invented business.

var sampleCatalog = contract.Catalog{
	Name: "Harbour Books",
	Summary: "Bookkeeping and back-office help for small shops, cafés and workshops. A person reads " +
		"every request and answers it by e-mail.",
	URL:      "https://books.example/",
	Revision: "5f0c",
	Services: []contract.Service{
		{
			ID: "bookkeeping", Name: "Monthly bookkeeping",
			Summary:     "Your receipts and bank lines in order each month, with a short note on what looks odd.",
			Description: "We collect what you have, enter it, and match it with your bank.\n\nYou see every entry before it counts, and nothing is filed without your word.",
			Includes: []string{
				"Entry of up to 150 receipts and invoices a month, from paper, mail or the app you already use",
				"Matching with one bank account",
			},
			Audience:    "Shops and cafés with up to ten people.",
			PricingBand: "monthly",
		},
		{
			ID: "cleanup", Name: "One-off clean-up", Summary: "A year of loose papers made into books.",
			Includes: []string{}, PricingBand: "project",
		},
	},
	PricingBands: []contract.PricingBand{
		{
			ID: "monthly", Name: "Monthly", Summary: "Paid at the end of each month.",
			Currency: "EUR", From: "90", To: "240", Unit: "month", Note: "The price follows the number of receipts.",
		},
		{ID: "project", Name: "Project", Currency: "EUR", From: "400", Unit: "project"},
	},
	Statements: []string{"We give no tax or legal advice."},
}

var sampleAnswer = contract.Answer{
	OK: true,
	Answer: "Yes. If the month has not begun, you get all of it back; a month that has begun is charged by the day.\n\n" +
		"  - write to us by e-mail\n  - the money is back within ten days",
	Reason: contract.ReasonMatched, Match: contract.MatchExact,
	EntryID: new("refunds"), Question: new("Do you offer refunds?"),
	URL: new("/pricing"), Revision: new("9a1e"), Suggestions: []string{}, Candidates: []contract.Candidate{},
}

var sampleFallback = contract.Answer{
	OK: true, Answer: "I have no approved answer to that. Write to us and a person will reply.",
	Reason: contract.ReasonRateLimitedGlobal, Match: contract.MatchNone,
	Suggestions: []string{"Do you offer refunds?", "How do I cancel?"},
	Candidates: []contract.Candidate{
		{EntryID: "refunds", Question: "Do you offer refunds?", Answer: sampleAnswer.Answer, URL: new("/pricing"), Revision: "9a1e"},
		{EntryID: "cancel", Question: "How do I cancel?", Answer: "By e-mail, at any time.", Revision: "77b0"},
	},
}

var sampleAccepted = contract.Accepted{
	OK: true, ID: "0198c1f2-7d1e", Status: contract.StatusAccepted,
	Message: "A person will read your request and answer by e-mail.",
}

var samplePreview = contract.Preview{
	OK: true, DryRun: true, Digest: "3b7c0d",
	WouldSend: contract.WouldSend{
		Name: "Ana Duarte", Business: "Duarte Bakery", Email: "ana@duarte.example", Segment: "bakery",
		Message: "We bake.\n\nCan you take over our books from March, and would the monthly band do for about 120 receipts?",
		Subject: "Pilot request from Duarte Bakery", ReplyTo: "ana@duarte.example",
		Text: "Name: Ana Duarte\nBusiness: Duarte Bakery\n\nWe bake.\n\n" +
			"Can you take over our books from March, and would the monthly band do for about 120 receipts?\n",
	},
}
