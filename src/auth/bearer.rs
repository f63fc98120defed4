//! Bearer tokens: reads the `Authorization` header of a request (RFC 6750). The only file of this folder that knows
//! HTTP.

use super::{AuthError, Caller, Identity, LastTokens};
use axum::http::{HeaderMap, HeaderValue, header::AUTHORIZATION};

impl Identity {
    /// Authenticates a request; None if it carries no token. A bad token is refused even where no token is needed,
    /// so that a client whose session has ended learns it instead of becoming a spectator. `last` caches the tokens of
    /// the same connection.
    pub async fn authenticate(
        &self,
        headers: &HeaderMap,
        last: Option<&LastTokens>,
    ) -> Result<Option<Caller>, AuthError> {
        let Some(authorization) = authorization(headers)? else { return Ok(None) };
        let now = self.now();
        let known = last.and_then(|last| last.find(authorization.as_bytes()));
        if let Some(known) = known.filter(|known| self.is_still_verified(known, now)) {
            return self.admit_verified(&known, now).await.map(Some);
        }
        let verified = self.verify(bearer_token(authorization)?).await?;
        if let Some(last) = last {
            last.insert(authorization.as_bytes(), &verified);
        }
        self.admit_verified(&verified, self.now()).await.map(Some)
    }
}

/// The `Authorization` header. More than one is refused as a bad token.
fn authorization(headers: &HeaderMap) -> Result<Option<&HeaderValue>, AuthError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (_, Some(_)) => Err(AuthError::BadToken),
        (value, None) => Ok(value),
    }
}

/// The token of the header. A scheme other than `Bearer` is refused as a bad token.
fn bearer_token(authorization: &HeaderValue) -> Result<&str, AuthError> {
    token_of(authorization.to_str().map_err(|_| AuthError::BadToken)?)
}

/// The token in an `Authorization` value, which need not come from an HTTP header.
pub fn token_of(authorization: &str) -> Result<&str, AuthError> {
    let (scheme, token) = authorization.split_once(' ').ok_or(AuthError::BadToken)?;
    let token = token.trim_matches(' ');
    if scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() { Ok(token) } else { Err(AuthError::BadToken) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).unwrap())).collect()
    }

    fn token_in(headers: &HeaderMap) -> Result<Option<&str>, AuthError> {
        authorization(headers)?.map(bearer_token).transpose()
    }

    #[test]
    fn no_header_is_no_token() {
        assert_eq!(token_in(&headers(&[])).unwrap(), None);
    }

    #[test]
    fn the_scheme_is_bearer_in_any_case() {
        for value in ["Bearer abc", "bearer abc", "BEARER   abc"] {
            assert_eq!(token_in(&headers(&[value])).unwrap(), Some("abc"), "{value}");
        }
    }

    #[test]
    fn anything_else_is_a_bad_token_not_an_absent_one() {
        let bad: [&[&str]; 7] =
            [&["Basic abc"], &["Bearer"], &["Bearer "], &["abc"], &[""], &["Bearer ä"], &["Bearer abc", "Bearer abc"]];
        for values in bad {
            assert!(matches!(token_in(&headers(values)), Err(AuthError::BadToken)), "{values:?}");
        }
    }
}
