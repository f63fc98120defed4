//! Where a request carries its token. The only file of this folder that knows HTTP.

use super::{AuthError, Caller, Identity};
use axum::http::{HeaderMap, header::AUTHORIZATION};

impl Identity {
    /// Who calls: nobody if the request carries no token. A bad token is refused even where none is needed, so that a
    /// client whose sign-in has ended is told so and does not find itself a spectator.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Option<Caller>, AuthError> {
        match bearer_token(headers)? {
            Some(token) => self.authenticate_token(token).await.map(Some),
            None => Ok(None),
        }
    }
}

/// The token of the one `Authorization: Bearer` header (RFC 6750). Two headers, or another scheme, are a bad token.
fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, AuthError> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(AuthError::BadToken);
    }
    token_of(value.to_str().map_err(|_| AuthError::BadToken)?).map(Some)
}

/// The token in what an `Authorization` header says, wherever it is said.
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

    #[test]
    fn no_header_is_no_token() {
        assert_eq!(bearer_token(&headers(&[])).unwrap(), None);
    }

    #[test]
    fn the_scheme_is_bearer_in_any_case() {
        for value in ["Bearer abc", "bearer abc", "BEARER   abc"] {
            assert_eq!(bearer_token(&headers(&[value])).unwrap(), Some("abc"), "{value}");
        }
    }

    #[test]
    fn anything_else_is_a_bad_token_not_an_absent_one() {
        let bad: [&[&str]; 7] =
            [&["Basic abc"], &["Bearer"], &["Bearer "], &["abc"], &[""], &["Bearer ä"], &["Bearer abc", "Bearer abc"]];
        for values in bad {
            assert!(matches!(bearer_token(&headers(values)), Err(AuthError::BadToken)), "{values:?}");
        }
    }
}
