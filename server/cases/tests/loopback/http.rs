//! Requests to the API server that `CRD_LS_API_SERVER` names, by HTTP without encryption.

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

/// An answer: the status code and the body.
pub(crate) type HttpResponse = (u16, Value);

/// A client with one connection, which is opened again if the server has closed it.
pub(crate) struct Client {
    address: String,
    connection: RefCell<Option<BufReader<TcpStream>>>,
}

impl Client {
    pub(crate) fn new(url: &str) -> Self {
        let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self { address, connection: RefCell::default() }
    }

    pub(crate) fn get(&self, path: &str) -> HttpResponse {
        self.send("GET", path, "application/json", None)
    }

    /// The columns of a list, as `kubectl get` requests them.
    pub(crate) fn table(&self, path: &str) -> HttpResponse {
        self.send("GET", path, "application/json;as=Table;v=v1;g=meta.k8s.io", None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> HttpResponse {
        self.send("POST", path, "application/json", Some(body))
    }

    pub(crate) fn put(&self, path: &str, body: &Value) -> HttpResponse {
        self.send("PUT", path, "application/json", Some(body))
    }

    pub(crate) fn delete(&self, path: &str) -> HttpResponse {
        self.send("DELETE", path, "application/json", None)
    }

    fn send(&self, method: &str, path: &str, accept: &str, body: Option<&Value>) -> HttpResponse {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nAccept: {accept}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        for _ in 0..3 {
            match self.exchange(&request) {
                Ok((code, text)) => {
                    let value = serde_json::from_slice(&text)
                        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&text).into_owned()));
                    return (code, value);
                }
                Err(_) => *self.connection.borrow_mut() = None,
            }
        }
        panic!("{} does not answer {method} {path}", self.address);
    }

    fn exchange(&self, request: &str) -> io::Result<(u16, Vec<u8>)> {
        let mut connection = self.connection.borrow_mut();
        if connection.is_none() {
            *connection = Some(BufReader::new(TcpStream::connect(&self.address)?));
        }
        let stream = connection.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        stream.get_mut().write_all(request.as_bytes())?;
        let code = line(stream)?.split(' ').nth(1).and_then(|code| code.parse().ok());
        let code = code.ok_or(io::ErrorKind::InvalidData)?;
        let (mut length, mut is_chunked) = (None, false);
        loop {
            let header = line(stream)?.to_ascii_lowercase();
            match header.split_once(": ") {
                None => break,
                Some(("content-length", value)) => length = value.parse().ok(),
                Some(("transfer-encoding", "chunked")) => is_chunked = true,
                Some(_) => {}
            }
        }
        let mut body = Vec::new();
        if is_chunked {
            loop {
                let size = usize::from_str_radix(&line(stream)?, 16).map_err(io::Error::other)?;
                stream.by_ref().take(size as u64).read_to_end(&mut body)?;
                line(stream)?;
                if size == 0 {
                    break;
                }
            }
        } else {
            stream.by_ref().take(length.unwrap_or(0)).read_to_end(&mut body)?;
        }
        Ok((code, body))
    }
}

/// A line without its line break.
fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}
