//! A page in the browser: looked at and clicked as a person would, and all that went wrong on it.

use base64::{Engine, prelude::BASE64_STANDARD};
use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use std::{env, fs, path::Path};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// For an answer of the browser, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_mins(1);

pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    origin: String,
    calls: u64,
    /// What the browser told without being asked.
    events: Vec<Value>,
}

impl Page {
    pub async fn connect(address: &str, origin: &str) -> Self {
        let (socket, _) = connect_async(address).await.unwrap();
        let mut page = Self { socket, origin: origin.to_owned(), calls: 0, events: Vec::new() };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        page
    }

    /// From here on this is the language that the browser prefers.
    pub async fn reads(&mut self, language: &str) {
        let agent = json!({"userAgent": "Chromium", "acceptLanguage": language});
        self.call("Emulation.setUserAgentOverride", agent).await;
    }

    pub async fn likes_the_dark(&mut self) {
        let dark = json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
        self.call("Emulation.setEmulatedMedia", dark).await;
    }

    pub async fn goes_to(&mut self, path: &str) {
        let url = format!("{}{path}", self.origin);
        let went = self.call("Page.navigate", json!({"url": url})).await;
        assert_eq!(went.get("errorText"), None, "{url}");
        self.until(&format!("location.pathname == '{path}' && document.readyState == 'complete'")).await;
    }

    pub async fn reloads(&mut self) {
        self.evaluate("void (window.before = true)").await;
        self.call("Page.reload", json!({})).await;
        self.until("!window.before && document.readyState == 'complete'").await;
    }

    /// The value of an expression, waited for if it is a promise.
    pub async fn evaluate(&mut self, expression: &str) -> Value {
        let ask = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", ask).await;
        assert_eq!(answer.get("exceptionDetails"), None, "{expression}");
        answer["result"]["value"].clone()
    }

    /// The value of an expression, once it has one that counts; half a minute at most.
    pub async fn until(&mut self, expression: &str) -> Value {
        for _ in 0..300 {
            // While a page goes and the next one comes there is nobody to ask.
            let ask = json!({"expression": expression, "returnByValue": true});
            let answer = self.attempt("Runtime.evaluate", ask).await.unwrap_or_default();
            let value = answer["result"]["value"].clone();
            if ![Value::Null, json!(false), json!(""), json!(0)].contains(&value) {
                return value;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.screenshot("failed").await;
        let text = self.evaluate("document.body.innerText").await;
        panic!("{expression} did not come true; the page says\n{text}\nand {:#?}", self.trouble().await);
    }

    /// Clicks in the middle of an element, once it is there.
    pub async fn clicks(&mut self, selector: &str) {
        self.clicks_element(&format!("document.querySelector({})", json!(selector))).await;
    }

    /// Clicks on the button, label or link that says exactly this.
    pub async fn presses(&mut self, text: &str) {
        let all = "[...document.querySelectorAll('button, label, a, summary')]";
        self.clicks_element(&format!("{all}.find(one => one.innerText.trim() == {})", json!(text))).await;
    }

    async fn clicks_element(&mut self, element: &str) {
        let middle = format!(
            "(() => {{ const one = {element}; if (!one) return null; one.scrollIntoView({{block: 'center'}}); \
             const r = one.getBoundingClientRect(); return {{x: r.x + r.width / 2, y: r.y + r.height / 2}}; }})()"
        );
        let at = self.until(&middle).await;
        for kind in ["mousePressed", "mouseReleased"] {
            let click = json!({"type": kind, "x": at["x"], "y": at["y"], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", click).await;
        }
    }

    /// Whatever went wrong so far: errors in the console, violations of the policy, questions to anybody but our server.
    pub async fn trouble(&mut self) -> Vec<String> {
        let mut trouble = self.strays().await;
        trouble.extend(self.events.iter().filter_map(|event| {
            let what = &event["params"];
            let wrong = match event["method"].as_str()? {
                "Runtime.exceptionThrown" => true,
                "Runtime.consoleAPICalled" => ["error", "assert"].contains(&what["type"].as_str()?),
                "Log.entryAdded" => what["entry"]["level"] == "error",
                _ => false,
            };
            wrong.then(|| what.to_string())
        }));
        trouble
    }

    /// Questions to anybody but our server, and whatever the page's policy has forbidden.
    pub async fn strays(&mut self) -> Vec<String> {
        // Asking anything brings in what was told meanwhile.
        self.evaluate("0").await;
        let host = self.origin.trim_start_matches("http").to_owned();
        let ours = |url: &str| {
            url == "about:blank"
                || ["http", "ws", "data"].iter().any(|scheme| {
                    let rest = url.strip_prefix(scheme).unwrap_or_default();
                    rest.starts_with(&host) || (*scheme == "data" && rest.starts_with(':'))
                })
        };
        let strays = self.events.iter().filter_map(|event| {
            let what = &event["params"];
            match event["method"].as_str()? {
                "Network.requestWillBeSent" => {
                    what["request"]["url"].as_str().filter(|url| !ours(url)).map(str::to_owned)
                }
                "Network.webSocketCreated" => what["url"].as_str().filter(|url| !ours(url)).map(str::to_owned),
                "Log.entryAdded" if what["entry"]["source"] == "security" => Some(what.to_string()),
                _ => None,
            }
        });
        strays.collect()
    }

    /// A screenshot, if screenshots were requested.
    pub async fn screenshot(&mut self, name: &str) {
        let Ok(folder) = env::var("SCREENSHOTS") else { return };
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"})).await;
        let bytes = BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }

    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.attempt(method, params).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// What the browser answers, or why it can't.
    async fn attempt(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.calls += 1;
        let id = self.calls;
        let ask = json!({"id": id, "method": method, "params": params}).to_string();
        self.socket.send(Message::text(ask)).await.unwrap();
        loop {
            let message =
                timeout(PATIENCE, self.socket.next()).await.unwrap_or_else(|_| panic!("no answer to {method}"));
            let Message::Text(text) = message.expect("the browser is there").unwrap() else { continue };
            let told: Value = serde_json::from_str(&text).unwrap();
            if told["id"] != id {
                self.events.push(told);
            } else if let Some(error) = told.get("error") {
                return Err(error.clone());
            } else {
                return Ok(told["result"].clone());
            }
        }
    }
}
