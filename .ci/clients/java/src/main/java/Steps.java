import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Plays steps.json with one client and prints what its user sees: a line for each step, with
 * the server, the step, its tool and what came of it.
 */
public final class Steps {
  /** What the steps need of a client; what a tool reports as its own failure begins with "isError:". */
  interface Client extends AutoCloseable {
    /** Opens the session and returns what a user sees of that, such as the protocol version. */
    String connect() throws Exception;

    List<String> tools() throws Exception;

    /** The addresses of the resources by name. */
    Map<String, String> resources() throws Exception;

    String read(String uri) throws Exception;

    String call(String tool, Map<String, Object> arguments) throws Exception;
  }

  /** Makes the client of the server at a path of the base address. */
  interface Opens {
    Client open(String base, String path);
  }

  static void play(Map<?, ?> steps, String base, Opens opens) throws Exception {
    play("website", opens.open(base, "/mcp"), (List<?>) steps.get("website"));
    play("workspace", opens.open(base, "/api/public/mcp"), (List<?>) steps.get("workspace"));
    System.exit(0);
  }

  @SuppressWarnings("unchecked")
  private static void play(String server, Client client, List<?> steps) throws Exception {
    try (client) {
      show(server, "connect", client::connect);
      Map<String, String> resources = new TreeMap<>();
      for (Object each : steps) {
        Map<?, ?> step = (Map<?, ?>) each;
        switch ((String) step.get("step")) {
          case "tools" -> show(server, "tools", () -> client.tools().stream().sorted().collect(Collectors.joining(" ")));
          case "resources" -> show(server, "resources", () -> {
            resources.putAll(client.resources());
            return String.join(" ", resources.keySet());
          });
          case "read" -> resources.forEach((name, uri) ->
              show(server, "read " + name, () -> client.read(uri).isEmpty() ? "" : "text"));
          default -> {
            String tool = (String) step.get("tool");
            int times = step.get("times") == null ? 1 : (Integer) step.get("times");
            for (int i = 0; i < times; i++) {
              show(server, step.get("step") + " " + tool, () -> client.call(tool, (Map<String, Object>) step.get("arguments")));
            }
          }
        }
      }
    }
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
