// Scores of the bakery's pages on a simulated phone, and the validity of their HTML.
import * as chromeLauncher from "chrome-launcher";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import lighthouse from "lighthouse";

const [base] = process.argv.slice(2);
const pages = ["/", "/faq", "/pricing", "/contact", "/en", "/anfahrt"];
const least = 98;
// Lighthouse 12 knows no Content-Signal line; internal/discovery/crawlers.go says why it stays.
const skipAudits = ["robots-txt"];
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

// scores runs Lighthouse. A page that a loaded machine could not show in time is tried again.
async function scores(path, categories) {
  for (let attempt = 1; ; attempt++) {
    const chrome = await chromeLauncher.launch({ chromeFlags: flags });
    try {
      const { lhr } = await lighthouse(base + path, { port: chrome.port, onlyCategories: categories, skipAudits, logLevel: "error" });
      if (!lhr.runtimeError) {
        return lhr;
      }
      if (attempt === 3) throw new Error(`${path}: ${lhr.runtimeError.message}`);
    } catch (problem) {
      if (attempt === 3) throw problem;
    } finally {
      chrome.kill();
    }
  }
}

const percent = (category) => Math.round(category.score * 100);
let failed = 0;
console.log("page".padEnd(12), "accessibility", "best practices", "SEO");
for (const path of pages) {
  const lhr = await scores(path, ["accessibility", "best-practices", "seo"]);
  const [accessibility, practices, seo] = ["accessibility", "best-practices", "seo"].map((name) => percent(lhr.categories[name]));
  console.log(path.padEnd(12), String(accessibility).padStart(13), String(practices).padStart(14), String(seo).padStart(3));
  if (Math.min(accessibility, practices, seo) < least) {
    failed++;
    for (const audit of Object.values(lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9) console.log(`  ${audit.id}: ${audit.title} ${audit.displayValue ?? ""}`);
    }
  }
}

const runs = [];
for (let run = 0; run < 5; run++) runs.push(percent((await scores("/", ["performance"])).categories.performance));
runs.sort((a, b) => a - b);
console.log(`performance of the home page, median of five: ${runs[2]} (${runs.join(", ")}); reported, not a limit`);

const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ["html-validate:standard"] }));
for (const path of pages) {
  const html = await (await fetch(base + path, { headers: { Accept: "text/html" } })).text();
  const report = await validator.validateString(html, `${path}.html`);
  for (const result of report.results) {
    for (const message of result.messages) {
      failed++;
      console.log(`${path}:${message.line}: ${message.ruleId}: ${message.message}`);
    }
  }
}
console.log(failed === 0 ? "pages: as good as they should be" : `pages: ${failed} problems`);
process.exit(failed === 0 ? 0 : 1);
