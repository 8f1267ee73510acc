import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.ObjectMapper;

/** The official Java SDK. */
record OfficialSDK(McpSyncClient client) implements Steps.Client {
  public static void main(String[] args) throws Exception {
    Map<?, ?> steps = new ObjectMapper().readValue(Files.readString(Path.of(args[1])), Map.class);
    Steps.play(steps, args[0], (base, path) -> new OfficialSDK(
        McpClient.sync(HttpClientStreamableHttpTransport.builder(base).endpoint(path).build())
            .requestTimeout(Duration.ofSeconds(20))
            .initializationTimeout(Duration.ofSeconds(20))
            .build()));
  }

  @Override
  public String connect() {
    return client.initialize().protocolVersion();
  }

  @Override
  public List<String> tools() {
    return client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
  }

  @Override
  public Map<String, String> resources() {
    return client.listResources().resources().stream()
        .collect(Collectors.toMap(McpSchema.Resource::name, McpSchema.Resource::uri));
  }

  @Override
  public String read(String uri) {
    McpSchema.ReadResourceResult read = client.readResource(McpSchema.ReadResourceRequest.builder(uri).build());
    return ((McpSchema.TextResourceContents) read.contents().get(0)).text();
  }

  @Override
  public String call(String tool, Map<String, Object> arguments) {
    McpSchema.CallToolResult result =
        client.callTool(McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
    String text = ((McpSchema.TextContent) result.content().get(0)).text();
    return Boolean.TRUE.equals(result.isError()) ? "isError: " + text : text;
  }

  @Override
  public void close() {
    client.close();
  }
}
