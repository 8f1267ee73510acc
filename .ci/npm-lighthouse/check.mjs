// check.mjs ADDRESS PATH... runs Lighthouse on the paths of a site, on a simulated phone,
// and validates the HTML of all its pages.
import * as chromeLauncher from "chrome-launcher";
import { FileSystemConfigLoader, HtmlValidate } from "html-validate";
import lighthouse from "lighthouse";

const [base, ...paths] = process.argv.slice(2);
// Lighthouse knows no Content-Signal line; internal/discovery/crawlers.go says why it stays.
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

const text = async (path, options) => (await fetch(base + path, options)).text();
const html = (path) => text(path, { headers: { Accept: "text/html" } });

// The HTML of every page is checked: the sitemap and the header list them, and /nowhere shows the error page.
const home = await html("/");
const header = home.slice(home.indexOf("<header"), home.indexOf("</header>"));
const linked = [...header.matchAll(/ href="([^"]+)"/g)].map(([, path]) => path);
const listed = [...(await text("/sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname);
const valid = [...new Set(["/", ...linked, "/ask", ...listed, "/nowhere"])];
if (linked.length < 3 || listed.length < 5) throw new Error(`the site has only the pages ${valid.join(" ")}`);

const percent = (category) => Math.round(category.score * 100);
let failed = 0;
console.log("page".padEnd(20), "accessibility", "best practices", "SEO");
let performance; // of the home page: reported without a limit, because it also depends on the machine
for (const path of paths) {
  const lhr = await scores(path, ["accessibility", "best-practices", "seo", ...(path === "/" ? ["performance"] : [])]);
  performance ??= percent(lhr.categories.performance);
  const [accessibility, practices, seo] = ["accessibility", "best-practices", "seo"].map((name) => percent(lhr.categories[name]));
  console.log(path.padEnd(20), String(accessibility).padStart(13), String(practices).padStart(14), String(seo).padStart(3));
  if (Math.min(accessibility, practices, seo) < 100) {
    failed++;
    for (const audit of Object.values(lhr.audits)) {
      if (audit.score !== null && audit.score < 0.9) console.log(`  ${audit.id}: ${audit.title} ${audit.displayValue ?? ""}`);
    }
  }
}

console.log(`performance of the home page: ${performance}`);

const validator = new HtmlValidate(new FileSystemConfigLoader({ root: true, extends: ["html-validate:standard"] }));
for (const path of valid) {
  const report = await validator.validateString(await html(path), `${path}.html`);
  for (const result of report.results) {
    for (const message of result.messages) {
      failed++;
      console.log(`${path}:${message.line}: ${message.ruleId}: ${message.message}`);
    }
  }
}
console.log(failed === 0 ? `${valid.length} pages: as good as they should be` : `pages: ${failed} problems`);
process.exit(failed === 0 ? 0 : 1);
