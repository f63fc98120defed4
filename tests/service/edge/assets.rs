//! What is the same for everybody: compressed once, and not sent to those who have it.

use flate2::read::GzDecoder;
use std::io::Read;
use test_support::{Answer, Program, folder};

const PATHS: [&str; 3] = ["/openapi.json", "/v1/kinds", "/v1/kinds/CHIPS"];

async fn ask(server: &Program, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(server.get(path), |request, (name, value)| request.header(name, value));
    request.await
}

#[tokio::test]
async fn the_compressed_copy_says_the_same_as_the_plain_one_and_both_tell_their_length() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for path in PATHS {
        let mut tags = Vec::new();
        let plain = ask(&server, path, &[]).await.bytes;
        for encoding in ["identity", "gzip", "br"] {
            let answer = ask(&server, path, &[("accept-encoding", encoding)]).await;
            let (tag, length) = (answer.header("etag"), answer.header("content-length"));
            let expected = if encoding == "identity" { "" } else { encoding };
            assert_eq!((answer.header("content-encoding").as_str(), answer.status), (expected, 200));
            for name in ["accept-encoding", "accept-language"] {
                assert!(answer.header("vary").contains(name), "{path} as {encoding}");
            }
            let bytes = answer.bytes;
            assert_eq!(length, bytes.len().to_string(), "{path} as {encoding}");
            let mut read = Vec::new();
            match encoding {
                "identity" => read.extend(&bytes),
                "gzip" => assert!(GzDecoder::new(&bytes[..]).read_to_end(&mut read).unwrap() > 0),
                // Nothing here decodes it; browsers do.
                _ => assert!(bytes.len() * 2 < plain.len()),
            }
            assert!(encoding == "br" || read == plain, "{path} as {encoding}");
            assert!(tag.starts_with('"') && !tags.contains(&tag), "{path} as {encoding}: {tag}");
            tags.push(tag);
        }
        let french = ask(&server, path, &[("accept-language", "fr")]).await;
        assert_eq!(tags.contains(&french.header("etag")), path == "/openapi.json", "{path}");
    }
}

#[tokio::test]
async fn both_names_of_gzip_get_the_same_copy() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for path in PATHS {
        let mut heard = Vec::new();
        for name in ["gzip", "x-gzip", "identity;q=0.5, X-GZIP"] {
            let answer = ask(&server, path, &[("accept-encoding", name)]).await;
            assert_eq!(answer.header("content-encoding"), "gzip", "{path} as {name}");
            heard.push((answer.header("etag"), answer.bytes));
        }
        assert!(heard.iter().all(|one| *one == heard[0]), "{path}");
    }
}

#[tokio::test]
async fn whoever_has_it_is_not_sent_it_again() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for path in PATHS {
        for encoding in ["identity", "gzip", "br"] {
            let tag = ask(&server, path, &[("accept-encoding", encoding)]).await.header("etag");
            for known in [&tag, &format!("\"other\", W/{tag}")] {
                let headers = [("accept-encoding", encoding), ("if-none-match", known)];
                let answer = ask(&server, path, &headers).await;
                assert_eq!((answer.status, answer.header("etag")), (304, tag.clone()), "{path}");
                assert!(answer.header("vary").contains("accept-encoding"), "{path}");
            }
            let changed = [("accept-encoding", encoding), ("if-none-match", "\"other\"")];
            assert_eq!(ask(&server, path, &changed).await.status, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_the_same_for_everybody_may_be_kept_by_caches_that_ask_again() {
    let data = folder();
    let server = Program::start(data.path(), &[]);
    for path in PATHS {
        let sent = ask(&server, path, &[]).await;
        let tag = sent.header("etag");
        let kept = ask(&server, path, &[("if-none-match", &tag)]).await;
        for answer in [sent, kept] {
            assert_eq!(answer.header("cache-control"), "no-cache", "{path}: {}", answer.status);
        }
    }
}
