import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An agent on the Java SDK that meets the limit, waits as long as the answer says, and goes on. */
public final class Waiting {
  private static final long BEGAN = System.nanoTime();
  private static final Pattern TOLD = Pattern.compile("Wait (\\d+) s");

  public static void main(String[] args) throws Exception {
    try (McpSyncClient client =
        McpClient.sync(HttpClientStreamableHttpTransport.builder(args[0]).endpoint("/mcp").build()).build()) {
      client.initialize();
      for (int call = 1; call <= 7; call++) {
        say("agent", "asks, call " + call);
        try {
          say("tool", ask(client));
        } catch (RuntimeException e) {
          say("tool", e.getMessage());
          Matcher told = TOLD.matcher(e.getMessage());
          if (!told.find()) {
            throw e;
          }
          say("agent", "waits " + told.group(1) + " s, as it was told");
          Thread.sleep(1000L * Integer.parseInt(told.group(1)));
        }
      }
      say("agent", "Done.");
    }
    System.exit(0);
  }

  private static String ask(McpSyncClient client) {
    McpSchema.CallToolResult result = client.callTool(
        McpSchema.CallToolRequest.builder("ask_faq").arguments(Map.of("q", "What does it cost?")).build());
    return ((McpSchema.TextContent) result.content().get(0)).text();
  }

  private static void say(String who, String text) {
    String line = text.replaceAll("\\s+", " ");
    System.out.printf("[%4d s] %s: %s%n", (System.nanoTime() - BEGAN) / 1_000_000_000, who,
        line.length() > 200 ? line.substring(0, 200) : line);
  }
}
