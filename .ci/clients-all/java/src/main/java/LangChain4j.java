import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.McpResource;
import dev.langchain4j.mcp.client.McpTextResourceContents;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** LangChain4j's assistant and its MCP client, with a model that follows a script. */
record LangChain4j(McpClient client) implements Steps.Client {
  interface Assistant {
    String chat(String prompt);
  }

  /** A model that calls one tool, then says that it is done; it keeps what the tool gave it. */
  private static final class Scripted implements ChatModel {
    private final ToolExecutionRequest call;
    private ToolExecutionResultMessage seen;

    Scripted(String tool, String arguments) {
      call = ToolExecutionRequest.builder().id("1").name(tool).arguments(arguments).build();
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      AiMessage answer = AiMessage.from(call);
      if (request.messages().get(request.messages().size() - 1) instanceof ToolExecutionResultMessage result) {
        seen = result;
        answer = AiMessage.from("Done.");
      }
      return ChatResponse.builder().aiMessage(answer).build();
    }
  }

  public static void main(String[] args) throws Exception {
    Map<?, ?> steps = new ObjectMapper().readValue(Files.readString(Path.of(args[1])), Map.class);
    Steps.play(steps, args[0], (base, path) -> new LangChain4j(
        new DefaultMcpClient.Builder()
            .transport(new StreamableHttpMcpTransport.Builder().url(base + path).timeout(Duration.ofSeconds(10)).build())
            .toolExecutionTimeout(Duration.ofSeconds(20))
            .build()));
  }

  @Override
  public String connect() {
    return tools().size() + " tools";
  }

  @Override
  public List<String> tools() {
    return client.listTools().stream().map(ToolSpecification::name).toList();
  }

  @Override
  public Map<String, String> resources() {
    return client.listResources().stream().collect(Collectors.toMap(McpResource::name, McpResource::uri));
  }

  @Override
  public String read(String uri) {
    return ((McpTextResourceContents) client.readResource(uri).contents().get(0)).text();
  }

  @Override
  public String call(String tool, Map<String, Object> arguments) throws Exception {
    Scripted model = new Scripted(tool, new ObjectMapper().writeValueAsString(arguments));
    McpToolProvider tools = McpToolProvider.builder().mcpClients(client).build();
    AiServices.builder(Assistant.class).chatModel(model).toolProvider(tools).build().chat("Go on.");
    return (Boolean.TRUE.equals(model.seen.isError()) ? "isError: " : "") + model.seen.text();
  }

  @Override
  public void close() throws Exception {
    client.close();
  }
}
