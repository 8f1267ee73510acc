import desk.ApiClient;
import desk.ApiException;
import desk.api.AnswersApi;
import desk.api.CatalogApi;
import desk.api.DocumentsApi;
import desk.api.HealthApi;
import desk.api.McpApi;
import desk.api.PilotRequestsApi;
import desk.model.Accepted;
import desk.model.Feedback;
import desk.model.JSONRPCRequest;
import desk.model.JSONRPCRequestId;
import desk.model.PilotRequest;
import desk.model.Preview;
import desk.model.Question;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Calls every operation with the Java client of OpenAPI Generator. */
public final class Main {
  private static String base;

  private static ApiClient client(boolean foreign) {
    ApiClient client = new ApiClient();
    client.setBasePath(base);
    client.addDefaultHeader("X-Forwarded-For", foreign ? "10.0.1.5" : "10.0.0.5");
    if (foreign) {
      client.addDefaultHeader("Origin", "https://elsewhere.example");
    }
    return client;
  }

  private static void result(String kind, String operation, Callable<Boolean> run) {
    String fault = "the answer is not as expected";
    boolean good = false;
    try {
      good = run.call();
    } catch (Exception failure) {
      fault = failure.toString().replace('\n', ' ').replace('\t', ' ');
    }
    System.out.println((good ? "ok" : "FAIL") + "\t" + kind + "\t" + operation + (good ? "" : "\t" + fault));
  }

  private static void check(String operation, Callable<Boolean> run) {
    result("answer", operation, run);
  }

  /** Reports a call that must be refused with a problem record. */
  private static void refuses(String operation, int status, String code, Callable<?> run) {
    result("error", operation, () -> {
      try {
        run.call();
        return false;
      } catch (ApiException refusal) {
        return refusal.getCode() == status && refusal.getResponseBody().contains("\"code\":\"" + code + "\"");
      }
    });
  }

  private static PilotRequest pilot() {
    return new PilotRequest().name("Ada Lovelace").business("Analytical Engines Ltd").email("ada@example.com").message("We would like to try it.");
  }

  public static void main(String[] arguments) throws Exception {
    base = arguments[0];
    ApiClient own = client(false);
    ApiClient foreign = client(true);
    Question question = new Question().q("What does it cost?");

    check("getHealth", () -> new HealthApi(own).getHealth().getStatus().toString().equals("ok"));
    refuses("getHealth", 403, "forbidden", () -> new HealthApi(foreign).getHealth());
    check("getCatalog", () -> !new CatalogApi(own).getCatalog(null, null).getServices().isEmpty());
    refuses("getCatalog", 403, "forbidden", () -> new CatalogApi(foreign).getCatalog(null, null));
    check("getAgents", () -> !new CatalogApi(own).getAgents(null, null).getServices().isEmpty());
    refuses("getAgents", 403, "forbidden", () -> new CatalogApi(foreign).getAgents(null, null));

    AnswersApi answers = new AnswersApi(own);
    check("ask", () -> answers.ask(question, null).getOk());
    refuses("ask", 400, "invalid_request", () -> answers.ask(new Question().q(" "), null));
    check("askAlias", () -> answers.askAlias(question, null).getOk());
    refuses("askAlias", 403, "forbidden", () -> new AnswersApi(foreign).askAlias(question, null));
    check("giveFeedback", () -> answers.giveFeedback(new Feedback().helpful(true).q("What does it cost?")).getOk());
    refuses("giveFeedback", 400, "invalid_request", () -> answers.giveFeedback(new Feedback().helpful(true).entryId("no-such-entry")));

    PilotRequestsApi pilots = new PilotRequestsApi(own);
    check("contact", () -> pilots.contact(pilot().dryRun(true), null, null).getActualInstance() instanceof Preview
        && pilots.contact(pilot(), null, null).getActualInstance() instanceof Accepted);
    refuses("contact", 400, "invalid_request", () -> pilots.contact(pilot().preview("0".repeat(64)), null, null));
    check("contactAlias", () -> pilots.contactAlias(pilot().dryRun(true), null, null).getActualInstance() instanceof Preview
        && pilots.contactAlias(pilot(), null, null).getActualInstance() instanceof Accepted);
    refuses("contactAlias", 400, "invalid_request", () -> pilots.contactAlias(pilot().preview("0".repeat(64)), null, null));

    JSONRPCRequest ping = new JSONRPCRequest().jsonrpc(JSONRPCRequest.JsonrpcEnum._2_0).id(new JSONRPCRequestId("one")).method("ping");
    check("websiteMCP", () -> new McpApi(own).websiteMCP(ping, null).getResult() != null);
    refuses("websiteMCP", 403, "forbidden", () -> new McpApi(foreign).websiteMCP(ping, null));
    check("workspaceMCP", () -> new McpApi(own).workspaceMCP(ping, null).getResult() != null);
    refuses("workspaceMCP", 403, "forbidden", () -> new McpApi(foreign).workspaceMCP(ping, null));

    DocumentsApi documents = new DocumentsApi(own);
    Map<String, Callable<Object>> reads = new LinkedHashMap<>();
    reads.put("getOpenAPI", () -> documents.getOpenAPI());
    reads.put("getLLMs", () -> documents.getLLMs());
    reads.put("getLLMsWellKnown", () -> documents.getLLMsWellKnown());
    reads.put("getLLMsFull", () -> documents.getLLMsFull());
    reads.put("getAuthGuide", () -> documents.getAuthGuide());
    reads.put("getAPICatalog", () -> documents.getAPICatalog());
    reads.put("getServerCard", () -> documents.getServerCard());
    reads.put("getServerCardShort", () -> documents.getServerCardShort());
    reads.put("getServerCardMCP", () -> documents.getServerCardMCP());
    reads.put("getWorkspaceServerCard", () -> documents.getWorkspaceServerCard());
    reads.put("getSkills", () -> documents.getSkills());
    reads.put("getSkill", () -> documents.getSkill());
    reads.put("getAICatalog", () -> documents.getAICatalog());
    reads.put("getARD", () -> documents.getARD());
    reads.put("getKeys", () -> documents.getKeys());
    reads.put("getSecurity", () -> documents.getSecurity());
    reads.put("getRobots", () -> documents.getRobots());
    reads.put("getSitemap", () -> documents.getSitemap());
    reads.forEach((operation, read) -> check(operation, () -> !read.call().toString().isEmpty()));
    DocumentsApi closed = new DocumentsApi(foreign);
    refuses("getOpenAPI", 403, "forbidden", () -> closed.getOpenAPI());
    refuses("getLLMs", 403, "forbidden", () -> closed.getLLMs());
    refuses("getLLMsFull", 403, "forbidden", () -> closed.getLLMsFull());
    refuses("getAuthGuide", 403, "forbidden", () -> closed.getAuthGuide());
    refuses("getRobots", 403, "forbidden", () -> closed.getRobots());
    refuses("getSitemap", 403, "forbidden", () -> closed.getSitemap());
  }
}
