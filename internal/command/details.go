package command

import "frontdesk/contract"

// settingsHelp replaces the list of settings in the help of a command that takes them
// all.
const settingsHelp = "It takes every flag and variable of frontdesk serve; frontdesk serve --help lists them."

// details are the texts below the usage in the help of each command, and of the program.
var details = map[string]string{
	contract.Product: "It publishes a catalog, answers questions with approved text and nothing else, and takes pilot requests that reach a person by mail: over HTTP, over MCP and as a site.\n\n" +
		"Example:\n\n\tfrontdesk serve                         # the sample content, on http://localhost:8080\n" +
		"\tfrontdesk ask \"What does it cost?\"      # in another terminal",
	"serve": "Without a setting it serves the sample content on http://localhost:8080, and keeps records and mail in ./data. " +
		"Each setting is a flag and an environment variable; the flag wins. A secret can be in a file instead: FRONTDESK_SMTP_URL_FILE or --smtp-url-file names it. frontdesk doctor --settings prints what is in force. " +
		"A setting that is wrong stops the start with its name.\n\n" +
		"A change in the content folder, or SIGHUP, loads the content again; content with a fault is refused, and the old content stays live. " +
		"SIGTERM and SIGINT stop it after the requests in flight are finished.\n\n" +
		"Example:\n\n\tfrontdesk serve --content mydesk --addr 127.0.0.1:9000",
	"init": "The comments in the files explain every key. A folder that already holds such files is not changed.\n\n" +
		"Example:\n\n\tfrontdesk init mydesk --sample practice",
	"check": "Finds what would stop a start, without starting: faults in the files, golden questions that do not hold, wrong settings. " +
		"Warnings are for you to judge; a fault makes the exit code 1.\n\n" + settingsHelp + "\n\n" +
		"Example:\n\n\tfrontdesk check mydesk",
	"doctor": "Checks settings, content, data folder, mail server (it logs in and sends nothing), model and addresses, " +
		"and says what to do about each failure. Run it as the service's user.\n\n" + settingsHelp + "\n\n" +
		"The exit code is 1 when a check fails, and 0 when there are only warnings.\n\n" +
		"Example:\n\n\tfrontdesk doctor --base-url https://desk.example.org --content mydesk\n\tfrontdesk doctor --settings",
	"eval": "Asks each question as a caller would, without a model, and reports how many were answered and how many of the answers are right.\n\n" +
		"Example:\n\n\tfrontdesk eval questions.jsonl --content mydesk\n\tfrontdesk eval --explain refunds --content mydesk",
	"notify": "The mail goes to FRONTDESK_MAIL_TO. The targets are those of FRONTDESK_NOTIFY_WEBHOOK, FRONTDESK_NOTIFY_NTFY and FRONTDESK_NOTIFY_CHAT. " +
		"Run it with the settings of the service. The exit code is 1 if a message was not accepted.\n\n" +
		settingsHelp + "\n\n" +
		"Example:\n\n\tfrontdesk notify --test --notify-ntfy https://ntfy.sh/TOPIC",
	"reload": "The service reads its content folder and the files of its signing keys again. Content with a fault is refused, " +
		"and the old content stays live. The exit code is 1 then, and 3 when no service runs on the data folder.\n\n" +
		"Example:\n\n\tfrontdesk reload --data /var/lib/frontdesk",
	"listing": "Save it as server.json and publish it with mcp-publisher; docs/mcp.md has the steps. " +
		"The address is that of FRONTDESK_BASE_URL, or the first FRONTDESK_DOMAIN, and must be https.\n\n" +
		"Example:\n\n\tfrontdesk listing --content mydesk --base-url https://desk.example.org > server.json",
	"conform": "Dry runs only, unless --send is given. The exit code is 1 when a check fails and 3 when the service cannot be reached.\n\n" +
		"Example:\n\n\tfrontdesk conform http://localhost:8080 --only 8",
	"inquiries": "An inquiry has one of five states: sent (the mail server accepted it), failed (it did not arrive), unknown " +
		"(it may have arrived), pending (being sent; the next start of the service sends what a crash interrupted), quarantined (it looks like spam and was not mailed). " +
		"The service resends a failed mail by itself for five days, unless FRONTDESK_MAIL_RETRY is off, and never an unknown one.\n\nExample:\n\n" +
		"\tfrontdesk inquiries --failed\n\tfrontdesk inquiries show inq_…\n\tfrontdesk inquiries --csv > inquiries.csv\n" +
		"\tFRONTDESK_SMTP_URL=smtp://mail.example.org frontdesk inquiries --resend inq_…",
	"questions": "Most asked first, similar ones together; numbers and addresses are masked. Every action but move is about all that are nearly the same.\n\n" +
		"accept makes a question an alternate of an entry in faq.yaml. move takes the wording of a wrong answer from the entry that has it as an alternate, if one has, " +
		"to another entry or to the unanswered questions of golden.yaml. Both change only the lines of that wording, of which they write the visible text, and only if check and the golden questions still hold. " +
		"A dismissed question stays off the list when it is asked again; a deleted one does not.\n\n" +
		"Example:\n\n\tfrontdesk questions\n\tfrontdesk questions accept 3 --entry refunds --content mydesk\n\tfrontdesk questions --wrong\n\tfrontdesk questions dismiss 4",
	"history": "The last change first: when, whether a page of the owner (page), a command or an edit of a file (file) made it, and what it changed. With a number it prints the diff. " +
		"An edit of a file is noticed when the service reads the content. Changes are kept for a year.\n\n" +
		"Example:\n\n\tfrontdesk history\n\tfrontdesk history 12",
	"undo": "Changes the files back, and leaves what was changed elsewhere since as it is. Like every change it is made only if check and the golden questions hold with it, " +
		"and it is a change itself, which can be undone. It is refused when the same lines were changed again since.\n\n" +
		"Example:\n\n\tfrontdesk undo 12 --content mydesk --dry-run\n\tfrontdesk undo 12 --content mydesk",
	"erase": "Deletes the inquiries, draft workspaces and idempotency keys of the address, feedback, questions and changes of the content in which it is written, and its mails that are kept as files, and reports what was removed. " +
		"It cannot reach backups, exports, and mail that was delivered.\n\n" +
		"Example:\n\n\tfrontdesk erase ada@example.com",
	"admin-link": "The link signs one browser in to the owner's pages, where inquiries are read and answers corrected. It works once, within 15 minutes: " +
		"the first browser that opens it is signed in, so do not pass it on. Without FRONTDESK_ADMIN_ADDR it leads to a port that only this machine reaches. " +
		"The exit code is 3 when no service runs on the data folder.\n\n" +
		"Example:\n\n\tfrontdesk admin-link --data /var/lib/frontdesk",
	"workspaces": "Newest first. A draft workspace is only a record: it has no account, no credential, and nothing of it is live.\n\n" +
		"Example:\n\n\tfrontdesk workspaces --json",
	"import": "Prints a faq.yaml. Answers keep the words of the source. Every entry is a draft (draft: true) and answers no one " +
		"until you remove that line. Only the named address is fetched.\n\n" +
		"Example:\n\n\tfrontdesk import https://www.example.org/faq > draft.yaml",
	"export": `One JSON object a line, on standard output. The first is {"type":"export","version":2} and the last {"type":"end","records":N}; of the others "type" is inquiry, try, feedback, question, answered, workspace, model_calls, notification or day_total, its other members are the record's, and the oldest of each type comes first. ` +
		`Everything that was stored before the command began is in it, once; the service may keep running, and an export that pauses holds nothing up. What lasts a day is left out, such as idempotency keys. To restore a service, use frontdesk backup.

Example:

	frontdesk export --since 2026-11-01 > november.jsonl`,
	"import-records": `Reads what frontdesk export wrote and adds what the database does not have yet, all or nothing: a fault in any line is reported with its number and changes nothing, and so is an export that is cut off. Importing a file twice adds nothing the second time.

To move from SQLite to PostgreSQL, or back: stop the service, export from the one database, import into the other, start the service with the other. Idempotency keys are not moved. An inquiry whose mail was interrupted is sent at that start.

Example:

	frontdesk export --data ./data > records.jsonl
	frontdesk import-records --database-url postgres://desk@db/desk records.jsonl`,
	"backup": `Writes records, signing key, mails kept as files, images and content into one file (tar.gz), and tries it by a restore to a folder that is removed again. The service may keep running; everything that was confirmed before is in it. Records of PostgreSQL are in it as an export. Keys that are given by a setting are not in it.

Without FILE it makes what FRONTDESK_BACKUP=daily makes: a file with the time in its name, of which the oldest are removed. To - it writes without trying, for instance to encrypt.

Example:

	frontdesk backup desk.tar.gz
	frontdesk backup - | age -r age1… > desk.tar.gz.age`,
	"restore": `Reads and checks the whole backup, puts it in place and prints what it holds. Stop the service first: a data folder that is in use is refused. A database or another signing key that is already there is refused too, unless --replace is given; then it is kept with .replaced-TIME added to its name. Content goes to a folder that is missing or empty.

The database is as it was when the backup was made: an inquiry whose mail was under way then is mailed again under its Message-ID, and what was erased since is back, so erase it again.

With FRONTDESK_DATABASE_URL a backup of PostgreSQL is added to that database; without, it becomes a database of SQLite. A copy of frontdesk.db is restored too.

Example:

	systemctl stop frontdesk
	frontdesk restore --data /var/lib/frontdesk --replace desk.tar.gz
	age -d -i key.txt desk.tar.gz.age | frontdesk restore --data /var/lib/frontdesk --replace -`,
	"migrate": `frontdesk serve brings the database up to date at its start, so this is only needed to use the owner's commands of a new version before the new service is started. Make a backup first: an older version refuses a newer database.

The other commands never change the schema: with a database of another version they stop and say so. Services of other machines that share a PostgreSQL database are not noticed; stop them first.

Example:

	frontdesk migrate --data /var/lib/frontdesk`,
	"version": "Commit and date are known if it was built in a git checkout.\n\nExample:\n\n\tfrontdesk version --json",
	"completion": "For this shell, and in its start file for each:\n\n" +
		"\tsource <(frontdesk completion bash)      # ~/.bashrc\n" +
		"\tsource <(frontdesk completion zsh)       # ~/.zshrc, after compinit\n" +
		"\tfrontdesk completion fish | source       # ~/.config/fish/config.fish",
	"man":     "Example:\n\n\tfrontdesk man | man -l -",
	"catalog": "Example:\n\n\tfrontdesk catalog --url https://frontdesk.example",
	"service": "The ids are the first column of `frontdesk catalog`.\n\nExample:\n\n\tfrontdesk service bookkeeping --json",
	"ask": "The answer is approved text, word for word. Quote the question: a shell reads ? and ' itself.\n\n" +
		"Example:\n\n\tfrontdesk ask --verify \"Do you offer refunds?\"\n\tfrontdesk ask --content mydesk --explain \"Can I get my money back?\"",
	"contact": "Without --dry-run this e-mails a person. Approve a dry run, then repeat the command with " +
		"--preview DIGEST in place of --dry-run: it is refused if the mail would differ by a byte. " +
		"When a request fails, its key is shown.\n\nExample:\n\n" +
		"\tfrontdesk contact --name \"Ana Duarte\" --business \"Duarte Bakery\" \\\n" +
		"\t    --email ana@duarte.example --message - --dry-run < request.txt",
	"health": "The exit code is 0 when the service is well, 1 when something else answers and 3 when it cannot be reached.\n" +
		"It suits the health check of a container without a shell: HEALTHCHECK CMD [\"/frontdesk\", \"health\"].\n\n" +
		"Example:\n\n\tfrontdesk health || echo down",
}
