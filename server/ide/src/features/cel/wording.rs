//! Types and functions in words.

use cel::env::needs_server;
use cel::{DeclKind, DeclType};
use crd::cel::is_unbounded;
pub(super) use crd::cel::{signature, type_name};

/// The name of the type that a schema node declares.
pub(super) fn declared_name(of: &DeclType) -> String {
    match &of.kind {
        DeclKind::Bool => "bool".to_owned(),
        DeclKind::Int => "int".to_owned(),
        DeclKind::Double => "double".to_owned(),
        DeclKind::String => "string".to_owned(),
        DeclKind::Bytes => "bytes".to_owned(),
        DeclKind::Duration => "duration".to_owned(),
        DeclKind::Timestamp => "timestamp".to_owned(),
        DeclKind::Dyn | DeclKind::Unknown => "dyn".to_owned(),
        DeclKind::List(element) => format!("list({})", declared_name(element)),
        DeclKind::Map(value) => format!("map(string, {})", declared_name(value)),
        DeclKind::Object(_) => "object".to_owned(),
    }
}

/// `since Kubernetes 1.N`; `None` if all releases have it.
pub(super) fn since_release(environment: u8) -> Option<String> {
    needs_server(environment).map(|server| format!("since Kubernetes 1.{server}"))
}

/// A number of cost units in a short form: `1.2k`, `3.4M`.
pub(super) fn short_cost(cost: u64) -> String {
    if is_unbounded(cost) {
        return "unbounded".to_owned();
    }
    let scaled = |by: f64, unit: &str| {
        let number = cost as f64 / by;
        if number < 10.0 && cost % (by as u64) >= by as u64 / 20 {
            let number = format!("{number:.1}");
            format!("{}{unit}", number.strip_suffix(".0").unwrap_or(&number))
        } else {
            format!("{}{unit}", number.round() as u64)
        }
    };
    match cost {
        0..1_000 => cost.to_string(),
        1_000..999_500 => scaled(1e3, "k"),
        999_500..999_500_000 => scaled(1e6, "M"),
        999_500_000..999_500_000_000 => scaled(1e9, "G"),
        999_500_000_000..999_500_000_000_000 => scaled(1e12, "T"),
        _ => format!("{:.0e}", cost as f64),
    }
}

/// The cost relative to `limit`: `0.8 % of the limit`, `12.0 × the limit`.
pub(super) fn share(cost: u64, limit: u64) -> String {
    let share = cost as f64 / limit as f64;
    if is_unbounded(cost) {
        "exceeds the limit".to_owned()
    } else if share >= 100.0 {
        "more than 100 × the limit".to_owned()
    } else if share >= 2.0 {
        format!("{share:.1} × the limit")
    } else if share > 1.0 && share < 1.01 {
        "exceeds the limit".to_owned()
    } else if share >= 0.1 {
        format!("{:.0} % of the limit", share * 100.0)
    } else if share >= 0.0005 {
        format!("{:.1} % of the limit", share * 100.0)
    } else {
        "less than 0.1 % of the limit".to_owned()
    }
}
