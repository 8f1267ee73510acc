// Search as you type on the page of questions. Without this script, and on Enter, the
// form asks the question instead.
"use strict";

const list = document.querySelector(".faq");
const input = document.getElementById("q");
const nothing = document.getElementById("nothing");
const fold = (text) => text.toLocaleLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
const entries = [...list.querySelectorAll("details")].map((entry) => ({ entry, text: fold(entry.querySelector(".qa").textContent + entry.firstElementChild.textContent) }));

input.addEventListener("input", () => {
  const words = fold(input.value).split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  let found = 0;
  for (const { entry, text } of entries) {
    entry.hidden = !words.every((word) => text.includes(word));
    if (!entry.hidden) found++;
  }
  for (const group of list.querySelectorAll("section")) group.hidden = !group.querySelector("details:not([hidden])");
  nothing.hidden = found > 0;
});
