//! Validates the host of a request: it must name exactly one (RFC 9112, section 3.2, and RFC 9113, section 8.3.1). If
//! it named two, an attacker could exploit that a proxy picks another one than the server does.

use super::arrival::Arrival;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version, header};

/// What is wrong with the host of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostFault {
    Missing,
    Repeated,
    /// `:authority` and `Host` differ.
    Contradicted,
}

impl HostFault {
    /// Key of the message in `content/service/`.
    pub fn sentence(self) -> &'static str {
        match self {
            HostFault::Missing => "request-host-missing",
            HostFault::Repeated => "request-host-repeated",
            HostFault::Contradicted => "request-host-contradicted",
        }
    }
}

/// Checks a request that came over a socket. HTTP/1.0 may omit the host: health checks of old proxies do.
pub fn check<B>(request: &Request<B>) -> Result<(), HostFault> {
    if request.extensions().get::<Arrival>().is_none_or(|arrival| arrival.permit.is_none()) {
        return Ok(());
    }
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (first, second) = (hosts.next(), hosts.next());
    let authority = request.uri().authority().map(Authority::as_str);
    let is_http2 = request.version() == Version::HTTP_2;
    match (first, authority) {
        _ if second.is_some() => Err(HostFault::Repeated),
        (Some(host), Some(authority)) if is_http2 && !names(host, authority) => Err(HostFault::Contradicted),
        (Some(_), _) => Ok(()),
        (None, Some(_)) if is_http2 => Ok(()),
        (None, _) if request.version() < Version::HTTP_11 => Ok(()),
        (None, _) => Err(HostFault::Missing),
    }
}

fn names(host: &HeaderValue, authority: &str) -> bool {
    host.as_bytes().eq_ignore_ascii_case(authority.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::client_address::Peer;
    use crate::edge::connection_limits::ConnectionPermit;

    fn of(version: Version, uri: &str, hosts: &[&str]) -> Result<(), HostFault> {
        let mut request = Request::builder().version(version).uri(uri);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        let peer = Peer("192.0.2.1".parse().expect("an address"));
        let arrival = Arrival { permit: Some(ConnectionPermit::alone(peer)), ..Arrival::default() };
        check(&request.extension(arrival).body(()).expect("a request"))
    }

    #[test]
    fn exactly_one_host_is_named() {
        let full = "http://a.example/livez";
        for (version, uri, hosts, checked) in [
            (Version::HTTP_11, "/livez", &["a.example"][..], Ok(())),
            (Version::HTTP_11, "/livez", &[], Err(HostFault::Missing)),
            (Version::HTTP_11, full, &[], Err(HostFault::Missing)),
            (Version::HTTP_11, "/livez", &["a.example", "a.example"], Err(HostFault::Repeated)),
            (Version::HTTP_10, "/livez", &[], Ok(())),
            (Version::HTTP_10, "/livez", &["a.example", "b.example"], Err(HostFault::Repeated)),
            (Version::HTTP_2, full, &[], Ok(())),
            (Version::HTTP_2, "/livez", &["a.example"], Ok(())),
            (Version::HTTP_2, full, &["A.example"], Ok(())),
            (Version::HTTP_2, "/livez", &[], Err(HostFault::Missing)),
            (Version::HTTP_2, full, &["b.example"], Err(HostFault::Contradicted)),
            (Version::HTTP_2, full, &["a.example", "a.example"], Err(HostFault::Repeated)),
        ] {
            assert_eq!(of(version, uri, hosts), checked, "{version:?} {uri} {hosts:?}");
        }
    }

    #[test]
    fn a_request_that_came_over_no_socket_needs_none() {
        assert_eq!(check(&Request::new(())), Ok(()));
    }
}
