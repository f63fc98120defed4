//! Client address behind reverse proxies.
//!
//! Each proxy appends the address of its caller to a header; clients can forge everything before that. So the list is
//! read from its end, as long as the hops are trusted proxies. Only the header that our proxies write is read: they
//! would pass on any other as the client sent it.

use axum::http::HeaderMap;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The other end of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub IpAddr);

impl From<SocketAddr> for Peer {
    fn from(address: SocketAddr) -> Self {
        // An IPv6 socket sees IPv4 clients as mapped addresses.
        Self(address.ip().to_canonical())
    }
}

/// Extension of the answer that upgrades a connection to a WebSocket: the address that is charged for incoming bytes.
#[derive(Clone, Copy, Debug)]
pub struct Payer(pub IpAddr);

/// The header in which proxies pass the client's address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`, which most proxies write.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// The trusted proxies.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    pub networks: Vec<IpNet>,
    pub header: ProxyHeader,
}

impl Proxies {
    /// The address that called the outermost trusted proxy; the peer's own if the peer is not a trusted proxy.
    pub fn client(&self, Peer(peer): Peer, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        let mut hops = self.hops(headers);
        while self.trusts(client)
            && let Some(Some(hop)) = hops.pop()
        {
            client = hop;
        }
        client
    }

    /// Whether the address is a trusted proxy's.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The addresses in the header, in order; `None` for an unreadable one.
    fn hops(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        if self.networks.is_empty() {
            return Vec::new();
        }
        let (name, read): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            ProxyHeader::XForwardedFor => ("x-forwarded-for", address),
            ProxyHeader::Forwarded => ("forwarded", forwarded_for),
        };
        let values = headers.get_all(name).iter();
        values.flat_map(|value| value.to_str().unwrap_or("").split(',').map(read).collect::<Vec<_>>()).collect()
    }
}

/// The unit of limits per address: an IPv4 address, or an IPv6 /64, because a client usually has a whole one.
pub fn caller(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

/// `for=` of one element of a `Forwarded` header.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, node) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    address(node.trim().trim_matches('"'))
}

/// An address, with or without a port, with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let address = text.parse::<IpAddr>().ok().or_else(bare);
    address.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip())).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn client(networks: &[&str], header: ProxyHeader, peer: &str, values: &[(&'static str, &'static str)]) -> String {
        let networks = networks.iter().map(|network| network.parse().unwrap()).collect();
        let pairs = values.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::new();
        pairs.for_each(|(name, value)| {
            headers.append(name, value);
        });
        let peer = Peer::from(SocketAddr::new(peer.parse().unwrap(), 1));
        Proxies { networks, header }.client(peer, &headers).to_string()
    }

    fn behind(peer: &str, values: &[&'static str]) -> String {
        let values: Vec<_> = values.iter().map(|value| ("x-forwarded-for", *value)).collect();
        client(&["10.0.0.0/8", "fd00::/8"], ProxyHeader::XForwardedFor, peer, &values)
    }

    #[test]
    fn a_peer_that_is_no_trusted_proxy_is_the_client_whatever_it_says() {
        assert_eq!(behind("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(client(&[], ProxyHeader::XForwardedFor, "10.0.0.1", &[("x-forwarded-for", "1.2.3.4")]), "10.0.0.1");
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_trusted_proxy() {
        assert_eq!(behind("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(behind("10.0.0.1", &["6.6.6.6, 198.51.100.7, 10.0.0.2"]), "198.51.100.7");
        assert_eq!(behind("10.0.0.1", &["6.6.6.6", "198.51.100.7", "fd00::2"]), "198.51.100.7");
    }

    #[test]
    fn what_can_not_be_read_is_not_passed_over() {
        assert_eq!(behind("10.0.0.1", &["198.51.100.7, unknown"]), "10.0.0.1");
        assert_eq!(behind("10.0.0.1", &["198.51.100.7, nonsense, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn proxies_among_themselves_are_their_own_clients() {
        assert_eq!(behind("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(behind("10.0.0.1", &["10.0.0.3, 10.0.0.2"]), "10.0.0.3");
    }

    #[test]
    fn ports_brackets_and_mapped_addresses_are_understood() {
        for (written, meant) in [
            ("198.51.100.7:4711", "198.51.100.7"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
        ] {
            assert_eq!(behind("::ffff:10.0.0.1", &[written]), meant);
        }
    }

    #[test]
    fn forwarded_is_read_as_rfc_7239_has_it() {
        let forwarded = |value| client(&["10.0.0.0/8"], ProxyHeader::Forwarded, "10.0.0.1", &[("forwarded", value)]);
        assert_eq!(forwarded("for=192.0.2.60;proto=http;by=203.0.113.43"), "192.0.2.60");
        assert_eq!(forwarded(r#"for=6.6.6.6, proto=https; For="[2001:db8:cafe::17]:4711""#), "2001:db8:cafe::17");
        assert_eq!(forwarded("for=6.6.6.6, for=_hidden"), "10.0.0.1");
    }

    #[test]
    fn only_the_header_that_the_proxies_write_is_read() {
        let both = [("x-forwarded-for", "6.6.6.6"), ("forwarded", "for=198.51.100.7")];
        assert_eq!(client(&["10.0.0.0/8"], ProxyHeader::Forwarded, "10.0.0.1", &both), "198.51.100.7");
        assert_eq!(client(&["10.0.0.0/8"], ProxyHeader::XForwardedFor, "10.0.0.1", &both), "6.6.6.6");
    }
}
