// The desk inside another site: <frontdesk-ask>, and a button where a page has none. The
// service adds what it knows, and calls this function with it (embed.go).
//
// Nothing of a page reaches in: the style is the shadow root's own, and allowed by every
// content policy. Texts from outside become text nodes, never HTML.
(desk) => {
  "use strict";
  const tag = "frontdesk-ask";
  // The service answers no page of another origin, so the button would only disappoint.
  if (!desk.origins.includes(location.origin)) return;
  const place = () => document.querySelector(tag) || document.body?.append(make(tag, { floating: "" }));
  const start = () => document.readyState == "loading" ? addEventListener("DOMContentLoaded", place) : place();
  const style = new CSSStyleSheet();
  style.replaceSync(desk.style);

  const make = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const key in attributes) {
      if (key.startsWith("on")) element[key] = attributes[key];
      else element.setAttribute(key, attributes[key]);
    }
    element.append(...children);
    return element;
  };
  // linked makes the addresses in a text links, and changes no character of it. An address consists of ASCII and Latin
  // letters, and ends with a letter, a digit, a slash or the parenthesis that closes one of its own.
  const address = /(https?:\/\/(?:[!#-'*-;=?-~À-ɏ]|\([!#-'*-;=?-~À-ɏ]*\))*(?:[\w/À-ɏ]|\([!#-'*-;=?-~À-ɏ]*\)))/;
  const linked = (text) => text.split(address)
    .map((part, i) => i % 2 ? make("a", { href: part, target: "_blank", rel: "noopener" }, part) : part);

  // The script runs again after a navigation without a load.
  if (customElements.get(tag)) return start();
  customElements.define(tag, class extends HTMLElement {
    // A navigation without a load exchanges the page around the element.
    disconnectedCallback() { queueMicrotask(place); }
    connectedCallback() {
      const floats = this.hasAttribute("floating");
      if (!floats) document.querySelector(tag + "[floating]")?.remove();
      if (this.shadowRoot) return;
      const page = (this.closest("[lang]") ?? document.documentElement).lang?.slice(0, 2).toLowerCase();
      const lang = desk.words[page] ? page : desk.lang;
      const [name, invitation, often, ...words] = desk.words[lang];
      // The service writes the number of a message in place of its key.
      const t = (key, value) => words[key].replace(/%[ds]/, () => value);

      const post = async (path, body, key) => {
        const headers = { "Content-Type": "application/json" };
        if (key) headers["Idempotency-Key"] = key;
        const response = await fetch(desk.base + path, { method: "POST", credentials: "omit", headers, body: JSON.stringify(body) });
        const answer = await response.json();
        if (response.ok) return answer;
        answer.wait = response.headers.get("Retry-After");
        throw answer;
      };
      const explain = ({ code, wait, detail }) => {
        if (code == "rate_limited") return t("problem.wait.text", Math.max(2, wait));
        if (code == "bad_gateway") return t("error.delivery", t("preview.send"));
        if (/^email/.test(detail)) return t("error.email");
        // where trying again does not help
        return /^(invalid|payload)/.test(code) ? detail : t("problem.ours.text");
      };

      // form makes a form that does its work once at a time: a double click sends once.
      const form = (work, button, ...children) => {
        const problem = make("p", { class: "error", role: "alert" });
        const element = make("form", {
          async onsubmit(event) {
            event.preventDefault();
            if (element.ariaBusy) return;
            element.ariaBusy = "true";
            problem.textContent = "";
            try {
              await work(Object.fromEntries(new FormData(element)));
            } catch (refusal) {
              problem.textContent = explain(refusal);
            }
            element.ariaBusy = null;
          },
        }, ...children, problem, make("p", { class: "row" }, make("button", {}, t(button))));
        return element;
      };
      const field = (label, type, attributes, optional) => {
        if (!optional) attributes.required = "";
        return make("label", {}, t(label), optional ? make("i", {}, ` (${t("field.optional")})`) : "", make(type, attributes));
      };
      const plain = (text, onclick) => make("button", { type: "button", class: "plain", onclick }, text);
      const heading = (text) => make("h3", { tabindex: -1 }, text);
      const show = (view, focused) => {
        for (const other of views) other.hidden = other != view;
        (focused ?? view.querySelector("h3")).focus();
      };

      // Asking
      const answered = (entry) => [make("p", { class: "text", dir: "auto" }, ...linked(entry.answer)),
        ...entry.url ? [make("p", {}, ...linked(t("answer.more", entry.url)))] : []];
      const chips = (label, questions) => make("p", { class: "row often" }, make("small", {}, t(label)), ...questions.map((q) => plain(q, () => {
          question.value = q;
          asking.requestSubmit();
        })));
      const helpful = (entry_id) => {
        const judge = (key, helpful) => plain(t(key), async () => {
          // A double click counts once.
          if (row.ariaBusy) return;
          row.ariaBusy = "true";
          row.textContent = await post("/api/ask/feedback", { helpful, entry_id }).then(() => t("helpful.title"), explain);
          row.ariaBusy = null;
          row.focus();
        });
        const row = make("p", { class: "row", tabindex: -1 }, make("small", {}, t("helpful.question")),
          judge("helpful.yes", true), judge("helpful.no", false));
        return row;
      };
      // Some questions have none, and the answer stands without.
      const related = (q) => {
        const place = make("div");
        fetch(desk.base + desk.related).then((response) => response.json())
          .then((all) => place.append(chips("answer.related", all[q]))).catch(() => { });
        return place;
      };
      const result = make("div", { role: "status" });
      const question = make("input", { name: "q", maxlength: desk.max.q, autocomplete: "off", enterkeyhint: "send", required: "", ...floats && { autofocus: "" } });
      const asking = form(async ({ q }) => {
        const answer = await post("/v1/ask", { q });
        const { candidates } = answer;
        result.className = "answer";
        if (answer.entry_id) result.replaceChildren(heading(answer.question), ...answered(answer), helpful(answer.entry_id), related(answer.question));
        else if (candidates.length) result.replaceChildren(heading(t("answer.meant")), ...candidates.map((entry) =>
          make("details", {}, make("summary", {}, entry.question), ...answered(entry))));
        else result.replaceChildren(heading(t("answer.none")), ...answered(answer));
        if (!answer.entry_id) message.value ||= q;
        question.select();
      }, "ask.button", make("label", {}, t("ask.label"), question));
      const ask = make("div", { class: "ask" }, make("p", {}, t("ask.intro")), asking,
        chips("home.often", often), result,
        make("p", { class: "foot" }, plain(invitation, () => show(write, write.querySelector("input")))));

      // Writing
      let request, digest, key;
      const mail = make("dl");
      const preview = async () => {
        const answer = await post("/v1/contact", { ...request, dry_run: true });
        const { subject, reply_to, text } = answer.would_send;
        digest = answer.digest;
        key = crypto.getRandomValues(new Uint32Array(4)).join("-");
        mail.replaceChildren(make("dt", {}, t("preview.subject")), make("dd", {}, subject),
          make("dt", {}, t("preview.reply")), make("dd", {}, reply_to), make("dd", { class: "text" }, text));
        show(check);
      };
      const message = make("textarea", { name: "message", rows: 5, maxlength: desk.max.message, required: "" });
      const write = form(async (fields) => {
        request = { business: desk.business, ...fields };
        await preview();
      }, "contact.next",
        heading(invitation), make("p", {}, t("home.write")),
        field("field.name", "input", { name: "name", autocomplete: "name", maxlength: desk.max.name }),
        ...desk.business ? [] : [field("field.business", "input", { name: "business", autocomplete: "organization", maxlength: desk.max.business })],
        field("field.email", "input", { name: "email", type: "email", autocomplete: "email" }),
        field("field.phone", "input", { name: "phone", type: "tel", autocomplete: "tel" }, true),
        make("label", {}, t("field.message"), message));
      write.lastChild.append(plain(t("ask.again"), () => show(ask, question)));
      const check = form(async () => {
        let sent;
        try {
          sent = await post("/v1/contact", { ...request, preview: digest }, key);
        } catch (refusal) {
          // The mail would differ from the one that was shown: here is the new one.
          if (/preview/.test(refusal.detail)) return preview();
          throw refusal;
        }
        done.replaceChildren(heading(t("sent.title")), make("p", {}, t("sent.text", request.email)),
          make("small", {}, t("sent.reference") + " " + sent.id), make("p", { class: "foot" }, plain(t("ask.again"), () => show(ask, question))));
        message.value = "";
        show(done);
      }, "preview.send", heading(t("preview.title")), make("p", {}, t("preview.text", t("preview.send"))), mail);
      check.lastChild.append(plain(t("preview.change"), () => show(write)));
      const done = make("div", { role: "status" });
      const views = [ask, write, check, done];
      write.hidden = check.hidden = done.hidden = true;

      const panel = make(floats ? "dialog" : "div", { class: "desk" }, make("header", {}, make("h2", {}, name)), ...views);
      const root = this.attachShadow({ mode: "open" });
      root.adoptedStyleSheets = [style];
      const outer = make("section", { lang }, panel);
      if (floats) {
        outer.ariaLabel = panel.ariaLabel = name;
        // A click beside the dialog closes it; one on its edge, or the end of a selection, does not.
        panel.closedBy = "any";
        panel.firstChild.append(make("button", { type: "button", class: "close", "aria-label": t("frame.close"), onclick: () => panel.close() }, "×"));
        outer.prepend(make("button", { type: "button", class: "open", "aria-haspopup": "dialog", onclick: () => panel.showModal() }, t("ask.home")));
      }
      root.append(outer);
    }
  });
  start();
}
