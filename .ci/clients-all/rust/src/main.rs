//! The official Rust SDK. It plays ../steps.json and prints what its user sees: a line for
//! each step, with the server, the step, its tool and what came of it.

use std::{collections::BTreeMap, env, error::Error, fs, time::Duration};

use rmcp::{
    ClientLifecycleMode, ClientServiceExt, RoleClient,
    model::{CallToolRequestParams, ContentBlock, ProtocolVersion, ReadResourceRequestParams, ResourceContents},
    service::RunningService,
    transport::StreamableHttpClientTransport,
};
use serde_json::Value;

type Shown = Result<String, Box<dyn Error>>;

/// The time for one step: a client that hangs is a finding too.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let [_, mode, base, steps] = env::args().collect::<Vec<_>>().try_into().map_err(|_| "usage: client MODE URL STEPS.json")?;
    let lifecycle = match mode.as_str() {
        "initialize" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::LATEST], legacy_version: None },
        _ => return Err("MODE is initialize or auto".into()),
    };
    let steps: Value = serde_json::from_str(&fs::read_to_string(steps)?)?;
    for (server, path) in [("website", "/mcp"), ("workspace", "/api/public/mcp")] {
        let transport = StreamableHttpClientTransport::from_uri(format!("{base}{path}"));
        match ().serve_with_lifecycle(transport, lifecycle.clone()).await {
            Ok(client) => play(server, client, steps[server].as_array().ok_or("no steps")?).await,
            Err(error) => show(server, "connect", Err(error.into())),
        }
    }
    Ok(())
}

async fn play(server: &str, client: RunningService<RoleClient, ()>, steps: &[Value]) {
    show(server, "connect", client.peer_info().map(|info| info.protocol_version.to_string()).ok_or("no answer".into()));
    let mut resources = BTreeMap::new();
    for step in steps {
        match step["step"].as_str().unwrap_or_default() {
            "tools" => {
                let names = in_time(async {
                    let mut names: Vec<_> = client.list_all_tools().await?.into_iter().map(|tool| tool.name).collect();
                    names.sort();
                    Ok(names.join(" "))
                });
                show(server, "tools", names.await);
            }
            "resources" => {
                let names = in_time(async {
                    let found = client.list_all_resources().await?;
                    resources = found.into_iter().map(|resource| (resource.name, resource.uri)).collect();
                    Ok(resources.keys().cloned().collect::<Vec<_>>().join(" "))
                });
                show(server, "resources", names.await);
            }
            "read" => {
                for (name, uri) in &resources {
                    show(server, &format!("read {name}"), in_time(read(&client, uri)).await);
                }
            }
            kind => {
                let tool = step["tool"].as_str().unwrap_or_default();
                for _ in 0..step["times"].as_u64().unwrap_or(1) {
                    show(server, &format!("{kind} {tool}"), in_time(call(&client, tool, &step["arguments"])).await);
                }
            }
        }
    }
    let _ = client.cancel().await;
}

async fn read(client: &RunningService<RoleClient, ()>, uri: &str) -> Shown {
    match client.read_resource(ReadResourceRequestParams::new(uri)).await?.contents.first() {
        Some(ResourceContents::TextResourceContents { text, .. }) if !text.is_empty() => Ok("text".into()),
        _ => Ok("no text".into()),
    }
}

async fn call(client: &RunningService<RoleClient, ()>, tool: &str, arguments: &Value) -> Shown {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let result = client.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await?;
    let failed = if result.is_error == Some(true) { "isError: " } else { "" };
    match result.content.first() {
        Some(ContentBlock::Text(content)) => Ok(format!("{failed}{}", content.text)),
        _ => Err("the result has no text".into()),
    }
}

async fn in_time(work: impl Future<Output = Shown>) -> Shown {
    tokio::time::timeout(PATIENCE, work).await?
}

fn show(server: &str, step: &str, shown: Shown) {
    let (outcome, text) = match shown {
        Ok(text) => ("ok", text),
        Err(error) => ("raises", error.to_string()),
    };
    println!("{server}\t{step}\t{outcome}\t{}", text.split_whitespace().collect::<Vec<_>>().join(" "));
}
