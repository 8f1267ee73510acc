// The two forms without leaving the page. They work without this script, too: then
// the pages /ask and /contact answer.
"use strict";

// send posts JSON and returns the answer; ok and error are what it looks at.
async function send(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.json();
    const wait = response.headers.get("Retry-After");
    if (!answer.ok && wait) answer.hint = `Please wait ${wait} seconds and try again. Nothing you typed is lost.`;
    return answer;
  } catch {
    return { ok: false, error: "The service cannot be reached.", hint: "Nothing you typed is lost: try again in a moment." };
  }
}

// make builds an element of text and elements, never of markup.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

// show puts a section where the answer belongs and moves the reader there.
function show(result, section) {
  result.replaceChildren(section);
  section.focus({ preventScroll: true });
  section.scrollIntoView({ block: "nearest" });
}

function section(kind, title, ...children) {
  return make("section", { class: kind, tabindex: "-1" }, make("h2", {}, title), ...children);
}

function mark(form, name, message) {
  const field = form.elements[name];
  document.getElementById(`${name}-error`).textContent = message;
  if (message) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

// busy runs work once, however often the button is pressed.
async function busy(button, work) {
  if (button.disabled) return;
  button.disabled = true;
  try {
    await work();
  } finally {
    button.disabled = false;
  }
}

function answerOf(answer, ask) {
  const more = answer.url && make("p", {}, make("a", { href: answer.url }, "Read more"));
  const list = make("ul", {});
  for (const question of answer.suggestions) {
    const link = make("a", { href: "/faq" }, question);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      ask(question);
    });
    list.append(make("li", {}, link));
  }
  const source = answer.revision
    ? [`Approved text, word for word. Revision ${answer.revision}.`]
    : ["A person answers what no approved text does: ", make("a", { href: "/contact" }, "write to us"), "."];
  return section("answer", answer.question || "No approved answer",
    make("p", { class: "verbatim" }, answer.answer), more || null,
    list.children.length ? make("p", {}, "Perhaps you meant:") : null, list.children.length ? list : null,
    make("p", { class: "source" }, ...source));
}

for (const form of document.querySelectorAll("form.ask")) {
  const result = form.parentElement.querySelector(".result");
  const ask = (question) => {
    form.elements.q.value = question;
    form.requestSubmit();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(form.querySelector("button"), async () => {
      const answer = await send("/v1/ask", { q: form.elements.q.value });
      mark(form, "q", answer.ok ? "" : `${answer.error} ${answer.hint}`);
      result.replaceChildren();
      if (answer.ok) show(result, answerOf(answer, ask));
      else form.elements.q.focus();
    });
  });
}

const contactFields = ["name", "business", "email", "phone", "segment", "message"];

function typed(form) {
  const body = {};
  for (const name of contactFields) if (form.elements[name].value.trim()) body[name] = form.elements[name].value;
  return body;
}

// refuse shows what was wrong beside the fields it concerns. The detail of a single
// failing field begins with its name; several are listed.
function refuse(form, problem) {
  const single = contactFields.filter((name) => problem.code === "invalid_request" && problem.error.startsWith(`${name} `));
  const failures = problem.errors || single.map((field) => ({ field, message: problem.error }));
  for (const name of contactFields) mark(form, name, failures.find((f) => f.field === name)?.message || "");
  document.getElementById("pilot-error").textContent = failures.length ? "" : `${problem.error} ${problem.hint}`.trim();
  const first = contactFields.find((name) => failures.some((f) => f.field === name));
  if (first) form.elements[first].focus();
}

function row(kind, name, value) {
  return make("div", { class: kind }, make("dt", {}, name), make("dd", {}, value));
}

function previewOf(preview, body, form, result) {
  const sendButton = make("button", { type: "button" }, "Send this mail");
  const change = make("button", { type: "button", class: "plain" }, "Change it");
  change.addEventListener("click", () => {
    result.replaceChildren();
    form.elements.name.focus();
  });
  sendButton.addEventListener("click", () => busy(sendButton, async () => {
    const answer = await send("/v1/contact", { ...body, preview: preview.digest });
    if (!answer.ok) return refuse(form, answer), form.scrollIntoView();
    form.reset();
    refuse(form, { error: "", hint: "" });
    show(result, section("accepted", "Sent", make("p", {}, answer.message),
      make("p", { class: "source" }, "Your reference: ", make("code", {}, answer.id))));
  }));
  const mail = preview.would_send;
  return section("preview", "This is the mail", make("p", {}, "Not sent yet. Read it, then send it or change it."),
    make("dl", { class: "mail" }, row("", "Subject", mail.subject), row("", "Reply to", mail.reply_to), row("text", "Text", mail.text)),
    make("p", { class: "actions" }, sendButton, " ", change));
}

for (const form of document.querySelectorAll("form.pilot")) {
  const result = form.parentElement.querySelector(".result");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    busy(form.querySelector("button"), async () => {
      const body = typed(form);
      const answer = await send("/v1/contact", { ...body, dry_run: true });
      refuse(form, answer.ok ? { error: "", hint: "" } : answer);
      result.replaceChildren();
      if (answer.ok) show(result, previewOf(answer, body, form, result));
    });
  });
  // A preview is of what was typed then.
  form.addEventListener("input", () => { if (result.querySelector(".preview")) result.replaceChildren(); });
}
