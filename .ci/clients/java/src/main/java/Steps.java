import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import tools.jackson.databind.ObjectMapper;

/**
 * The official Java SDK. It plays steps.json and prints what its user sees: a line for
 * each step, with the server, the step, its tool and what came of it.
 */
public final class Steps {
  public static void main(String[] args) throws Exception {
    Map<?, ?> steps = new ObjectMapper().readValue(Files.readString(Path.of(args[1])), Map.class);
    play("website", args[0], "/mcp", (List<?>) steps.get("website"));
    play("workspace", args[0], "/api/public/mcp", (List<?>) steps.get("workspace"));
    System.exit(0);
  }

  private static void play(String server, String base, String path, List<?> steps) {
    McpSyncClient client =
        McpClient.sync(HttpClientStreamableHttpTransport.builder(base).endpoint(path).build())
            .requestTimeout(Duration.ofSeconds(20))
            .initializationTimeout(Duration.ofSeconds(20))
            .build();
    try {
      show(server, "connect", () -> client.initialize().protocolVersion());
      Map<String, String> resources = new TreeMap<>();
      for (Object each : steps) {
        Map<?, ?> step = (Map<?, ?>) each;
        switch ((String) step.get("step")) {
          case "tools" -> show(server, "tools", () ->
              client.listTools().tools().stream().map(McpSchema.Tool::name).sorted().collect(Collectors.joining(" ")));
          case "resources" -> show(server, "resources", () -> {
            client.listResources().resources().forEach(r -> resources.put(r.name(), r.uri()));
            return String.join(" ", resources.keySet());
          });
          case "read" -> resources.forEach((name, uri) -> show(server, "read " + name, () -> {
            McpSchema.ReadResourceResult read = client.readResource(McpSchema.ReadResourceRequest.builder(uri).build());
            return ((McpSchema.TextResourceContents) read.contents().get(0)).text().isEmpty() ? "" : "text";
          }));
          default -> {
            int times = step.get("times") == null ? 1 : (Integer) step.get("times");
            for (int i = 0; i < times; i++) {
              show(server, step.get("step") + " " + step.get("tool"), () -> call(client, step));
            }
          }
        }
      }
    } finally {
      client.close();
    }
  }

  @SuppressWarnings("unchecked")
  private static String call(McpSyncClient client, Map<?, ?> step) {
    McpSchema.CallToolResult result = client.callTool(McpSchema.CallToolRequest.builder((String) step.get("tool"))
        .arguments((Map<String, Object>) step.get("arguments")).build());
    String text = ((McpSchema.TextContent) result.content().get(0)).text();
    return Boolean.TRUE.equals(result.isError()) ? "isError: " + text : text;
  }

  private static void show(String server, String step, Callable<String> work) {
    String outcome = "ok";
    String text;
    try {
      text = work.call();
    } catch (Exception e) {
      outcome = "raises";
      text = e.getClass().getSimpleName() + ": " + e.getMessage();
    }
    System.out.println(String.join("\t", server, step, outcome, text.replaceAll("\\s+", " ").trim()));
  }
}
