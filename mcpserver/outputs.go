package mcpserver

import "frontdesk/contract"

// The schemas of what the tools return: the answers of the HTTP API (decisions,
// Answers). They allow further properties, because v1 may grow some.

func catalogSchema() schema {
	return object(schema{
		"name":          text("The business."),
		"summary":       text("What it does, in a sentence or two."),
		"url":           uri("The service's base address."),
		"revision":      text("Changes when anything in the catalog does."),
		"services":      list("What the business offers.", serviceSchema()),
		"pricing_bands": list("The ranges of prices that the services stand in.", bandSchema()),
		"contact":       contactSchema(),
		"links":         linksSchema(),
		"statements":    texts("What the service does not do."),
	}, "name", "summary", "url", "revision", "services", "pricing_bands", "contact", "links", "statements")
}

func serviceProperties() schema {
	return schema{
		"id":           text("Stable id; the argument of " + contract.ToolGetService + "."),
		"name":         text("The name of the service."),
		"summary":      text("The service in a sentence."),
		"description":  text("The service in full."),
		"includes":     texts("What one gets."),
		"audience":     text("Who it is for; empty where nothing is said."),
		"pricing_band": text("The id of its pricing band."),
	}
}

func serviceSchema() schema {
	return object(serviceProperties(), "id", "name", "summary", "description", "includes", "audience", "pricing_band")
}

func serviceDetailSchema() schema {
	properties := serviceProperties()
	properties["pricing"] = bandSchema()
	return object(properties, "id", "name", "summary", "description", "includes", "audience", "pricing_band", "pricing")
}

func bandSchema() schema {
	return object(schema{
		"id":       text("Stable id."),
		"name":     text("The name of the band."),
		"summary":  text("The band in a sentence."),
		"currency": text("ISO 4217 code of the currency."),
		"from":     whole("The lower end, in whole units of the currency."),
		"to":       whole("The upper end; without it the band is open."),
		"unit":     text("What is paid for, such as a month."),
		"note":     text("What else to know."),
	}, "id", "name", "summary", "currency", "from", "unit").with("description", "A range of prices.")
}

func contactSchema() schema {
	return object(schema{
		"method":        text("The HTTP method."),
		"url":           uri("Where a pilot request is posted."),
		"content_types": texts("The types of body that it takes."),
		"required":      texts("The fields that it must have."),
		"optional":      texts("The fields that it may have."),
		"dry_run":       yesNo("Whether it can be tried without sending."),
	}, "method", "url", "content_types", "required", "optional", "dry_run").
		with("description", "How to file a pilot request over HTTP; "+contract.ToolRequestPilot+" does the same.")
}

func linksSchema() schema {
	return object(schema{
		"ask":           uri("The ask endpoint."),
		"mcp":           uri("The MCP server of the website."),
		"workspace_mcp": uri("The MCP server of the workspace application, where trials start."),
		"openapi":       uri("The OpenAPI description."),
		"documentation": uri("The developer page."),
		"pricing":       uri("The prices, for people."),
		"faq":           uri("All approved answers."),
	}, "ask", "mcp", "workspace_mcp", "openapi", "documentation", "pricing", "faq").
		with("description", "The service's other faces and documents.")
}

func answerSchema() schema {
	return object(schema{
		"ok":     yesNo("Always true."),
		"answer": text("The approved text, word for word. Quote it; do not change it."),
		"reason": among("Why the answer is what it is. Only matched is an answer to the question; with any other the text is the approved fallback.",
			contract.Reasons...),
		"match":       among("How the entry was found.", contract.Matches...),
		"entry_id":    orNull(text("The id of the entry that answers.")),
		"question":    orNull(text("The approved question of that entry.")),
		"url":         orNull(text("Where to read more.")),
		"revision":    orNull(text("Changes when the text of the entry does.")),
		"suggestions": texts("Approved questions that come close, when nothing matched.").with("maxItems", contract.MaxSuggestions),
	}, "ok", "answer", "reason", "match", "entry_id", "question", "url", "revision", "suggestions")
}

// alternatives lists which properties each kind of an answer has.
func alternatives(s schema, kinds ...[]string) schema {
	options := make([]schema, len(kinds))
	for i, required := range kinds {
		options[i] = schema{"required": required}
	}
	return s.with("oneOf", options)
}

func pilotSchema() schema {
	wouldSend := object(schema{
		contract.FieldName:     text("As it would be sent."),
		contract.FieldBusiness: text("As it would be sent."),
		contract.FieldEmail:    text("As it would be sent."),
		contract.FieldMessage:  text("As it would be sent."),
		contract.FieldPhone:    text("As it would be sent."),
		contract.FieldSegment:  text("As it would be sent."),
		"subject":              text("The subject of the e-mail."),
		"reply_to":             text("Whom the answer would go to."),
		"text":                 text("The whole text of the e-mail."),
	}, contract.FieldName, contract.FieldBusiness, contract.FieldEmail, contract.FieldMessage, "subject", "reply_to", "text").
		with("description", "Exactly what a real send would mail.")
	return alternatives(object(schema{
		"ok":                 yesNo("Always true."),
		contract.FieldDryRun: yesNo("True: nothing was sent or stored."),
		"would_send":         wouldSend,
		"digest":             text("Names this very mail; pass it as preview of the real send."),
		"id":                 text("The id of the inquiry."),
		"status":             among("The mail server has taken the e-mail.", contract.StatusAccepted),
		"message":            text("What happens next."),
	}, "ok"), []string{contract.FieldDryRun, "would_send", "digest"}, []string{"id", "status", "message"})
}

func trialSchema() schema {
	wouldCreate := object(schema{
		"state":                text("The state it would have."),
		contract.FieldBusiness: text("As it would be stored."),
		contract.FieldEmail:    text("As it would be stored."),
		contract.FieldName:     text("As it would be stored."),
		contract.FieldSegment:  text("As it would be stored."),
	}, "state", contract.FieldBusiness, contract.FieldEmail).with("description", "Exactly what would be stored.")
	return alternatives(object(schema{
		"ok":                 yesNo("Always true in a dry run."),
		contract.FieldDryRun: yesNo("True: nothing was stored."),
		"would_create":       wouldCreate,
		"workspace_id":       text("The id of the draft workspace."),
		"state":              among("No account, no credentials, nothing live.", contract.StateDraft),
		"url":                orNull(text("Where the workspace will be; null while no application is set.")),
		"created_at":         text("When it was stored (RFC 3339, UTC).").with("format", "date-time"),
		"next":               text("What happens next."),
	}), []string{"ok", contract.FieldDryRun, "would_create"}, []string{"workspace_id", "state", "url", "created_at", "next"})
}
