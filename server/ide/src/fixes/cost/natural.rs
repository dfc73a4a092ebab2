//! The usual bounds, and the loss that each of them causes.

use crd::rules::Size;
use crd::schema::Keyword;

/// Usual bounds of lists and maps.
const COUNTS: [u64; 20] =
    [10_000, 5_000, 4_096, 2_048, 1_024, 512, 256, 200, 128, 100, 64, 50, 32, 20, 16, 10, 8, 5, 4, 3];
/// Usual bounds of strings.
const LENGTHS: [u64; 13] = [65_536, 32_768, 16_384, 8_192, 4_096, 2_048, 1_024, 512, 256, 128, 64, 32, 16];

/// The loss from halving a bound, by the smallest bound to which it applies: the smaller the bound, the
/// larger the loss.
const COUNT_LOSSES: [(u64, f64); 4] = [(100, 0.7), (32, 1.2), (16, 2.0), (0, 5.0)];
const LENGTH_LOSSES: [(u64, f64); 4] = [(1_024, 0.5), (256, 1.0), (64, 2.5), (0, 5.0)];
/// The loss from halving a bound if that rejects values that are known to be valid.
const KNOWN_LOSS: f64 = 6.0;
/// The loss from setting a bound that rejects nothing, one that most likely rejects nothing, and any other
/// bound.
const IMPLIED: f64 = 0.01;
const USUAL: f64 = 0.1;
const OPEN: f64 = 0.5;
/// The loss from lowering a bound that somebody chose.
const CHOSEN: f64 = 12.0;

/// The longest names in Kubernetes: of an object, and of a namespace or a label value.
const SUBDOMAIN: u64 = 253;
const LABEL: u64 = 63;
/// The length of a prefix, a slash and a name.
const QUALIFIED: u64 = SUBDOMAIN + 1 + LABEL;

/// A bound that may be set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct CandidateBound {
    /// The bound; `None` leaves the size unchanged.
    pub(super) bound: Option<u64>,
    /// The loss, for comparison with other rungs.
    pub(super) loss: f64,
}

/// The bounds to choose from, the greatest first; none is below `least`, nor below the minimum that the
/// schema requires.
pub(super) fn ladder(size: &Size, least: u64) -> Vec<CandidateBound> {
    let is_text = size.keyword == Keyword::MaxLength;
    let least = least.max(size.least).max(1);
    let (rungs, losses) = if is_text { (&LENGTHS[..], &LENGTH_LOSSES) } else { (&COUNTS[..], &COUNT_LOSSES) };
    let known = match size.implied {
        Some(implied) => Some((implied, IMPLIED)),
        None if is_text => usual_length(size).map(|usual| (usual, USUAL)),
        None => None,
    };
    let known = known.filter(|(bound, _)| *bound >= least);
    let chosen = if size.bound.is_some() { CHOSEN } else { 0.0 };
    let mut steps = vec![CandidateBound { bound: None, loss: 0.0 }];
    let (mut last, mut loss) = match known {
        Some((bound, loss)) => {
            steps.push(CandidateBound { bound: Some(bound), loss: loss + chosen });
            (bound, loss)
        }
        None => (rungs.first().copied().unwrap_or(least).max(least), OPEN),
    };
    // A minimum above all usual bounds is rounded up.
    let is_beyond = rungs.first().is_some_and(|most| *most < least);
    let first = (known.is_none() && is_beyond).then(|| least.next_power_of_two());
    for rung in first.into_iter().chain(rungs.iter().copied()).filter(|rung| *rung >= least) {
        if known.is_some() && rung >= last {
            continue;
        }
        let halvings = (last as f64 / rung as f64).log2().max(0.0);
        let rate = match known {
            Some(_) => KNOWN_LOSS,
            None => losses.iter().find(|(from, _)| rung >= *from).map_or(0.0, |(_, rate)| *rate),
        };
        loss += halvings * rate;
        last = rung;
        steps.push(CandidateBound { bound: Some(rung), loss: loss + chosen });
    }
    if let Some(own) = size.bound {
        steps.retain(|step| step.bound.is_none_or(|bound| bound < own));
    }
    steps
}

/// The greatest usual length of such a string, in characters.
fn usual_length(size: &Size) -> Option<u64> {
    of_format(&size.format).or_else(|| of_pattern(&size.pattern)).or_else(|| of_names(size))
}

/// The longest string in a format, for formats whose length the server does not know.
fn of_format(format: &str) -> Option<u64> {
    Some(match format {
        "hostname" | "k8s-long-name" => SUBDOMAIN,
        "k8s-short-name" => LABEL,
        "ipv4" => 15,
        "ipv6" => 45,
        "cidr" => 49,
        "mac" => 59,
        "uuid" | "uuid3" | "uuid4" | "uuid5" => 36,
        "uri" => 2_048,
        "email" => 320,
        "bsonobjectid" => 24,
        "isbn" | "isbn13" | "isbn10" => 17,
        "creditcard" => 19,
        "ssn" => 11,
        "hexcolor" => 9,
        "rgbcolor" => 32,
        _ => return None,
    })
}

/// The longest DNS name that a pattern in the style of Kubernetes accepts.
fn of_pattern(pattern: &str) -> Option<u64> {
    let pattern = pattern.to_ascii_lowercase();
    let is_name = ["[-a-z0-9]*[a-z0-9]", "[a-z0-9-]*[a-z0-9]", "[a-z0-9\\-]*[a-z0-9]"];
    let is_whole = pattern.starts_with('^') && pattern.ends_with('$');
    (is_whole && is_name.iter().any(|part| pattern.contains(part)))
        .then(|| if pattern.contains("\\.") || pattern.contains("[.]") { SUBDOMAIN } else { LABEL })
}

/// The usual length of a property with such a name.
fn of_names(size: &Size) -> Option<u64> {
    let name = size.names().next()?;
    let words = words_of_name(name);
    let last = words.last()?.as_str();
    let is_value = size.path.segments().last().and_then(crd::Segment::key) == Some("additionalProperties");
    if is_value {
        let is_label = matches!(last, "label" | "selector") || name == "nodeSelector";
        return is_label.then_some(LABEL);
    }
    Some(match last {
        "host" | "hostname" | "domain" | "fqdn" | "sni" | "subdomain" | "group" => SUBDOMAIN,
        "name" | "ref" if name != "displayName" => SUBDOMAIN,
        "namespace" | "label" | "kind" => LABEL,
        "key" => QUALIFIED,
        "url" | "uri" | "endpoint" | "link" => 2_048,
        "path" => 4_096,
        "email" => 320,
        "ip" => 45,
        "cidr" => 49,
        "message" => 32_768,
        "reason" => 1_024,
        "version" if name == "apiVersion" => QUALIFIED,
        _ => return None,
    })
}

/// The words of a name such as `dnsNames` or `HTTPHosts`, in lower case and in the singular.
fn words_of_name(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_small = false;
    for char in name.chars() {
        if !char.is_ascii_alphanumeric() {
            was_small = false;
            words.push(String::new());
            continue;
        }
        let is_small = !char.is_ascii_uppercase();
        if words.is_empty() || (was_small && !is_small) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(char.to_ascii_lowercase());
        }
        was_small = is_small;
    }
    if let Some(last) = words.last_mut()
        && last.len() > 3
        && !last.ends_with("ss")
        && last.ends_with('s')
    {
        last.pop();
    }
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crd::FieldPath;

    fn text(name: &str, format: &str, pattern: &str) -> Size {
        let path = FieldPath::root().child("openAPIV3Schema").child("properties").key(name);
        Size {
            path,
            keyword: Keyword::MaxLength,
            bound: None,
            least: 0,
            implied: None,
            format: format.into(),
            pattern: pattern.into(),
        }
    }

    fn bounds(size: &Size, least: u64) -> Vec<u64> {
        ladder(size, least).iter().filter_map(|step| step.bound).collect()
    }

    #[test]
    fn known_lengths_of_a_text_come_first() {
        assert_eq!(bounds(&text("hosts", "", ""), 0)[..2], [253, 128]);
        assert_eq!(bounds(&text("targetNamespace", "", ""), 0)[0], 63);
        assert_eq!(bounds(&text("a", "uuid", ""), 0)[0], 36);
        assert_eq!(bounds(&text("a", "", "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"), 0)[0], 63);
        assert_eq!(bounds(&text("a", "", r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]+)*$"), 0)[0], 253);
        assert_eq!(bounds(&text("comment", "", ""), 0)[0], 65_536);
        let implied = Size { implied: Some(20), ..text("hosts", "", "") };
        assert_eq!(bounds(&implied, 0), [20, 16]);
    }

    #[test]
    fn bounds_admit_the_values_that_the_schema_names() {
        assert_eq!(bounds(&text("comment", "", ""), 300).last(), Some(&512));
        assert_eq!(bounds(&text("namespace", "", ""), 100).last(), Some(&128));
        assert_eq!(bounds(&text("comment", "", ""), 100_000), [131_072]);
        let items = Size { keyword: Keyword::MaxItems, least: 9, ..text("hosts", "", "") };
        assert_eq!(bounds(&items, 0).last(), Some(&10));
    }

    #[test]
    fn a_chosen_bound_is_only_lowered() {
        let chosen = Size { bound: Some(100), ..text("comment", "", "") };
        assert_eq!(bounds(&chosen, 0), [64, 32, 16]);
    }

    #[test]
    fn lower_bounds_have_greater_losses() {
        for size in [text("hosts", "", ""), text("comment", "", ""), text("a", "uuid", "")] {
            let steps = ladder(&size, 0);
            assert!(steps.is_sorted_by(|one, other| one.loss < other.loss), "{steps:?}");
        }
    }

    #[test]
    fn a_name_is_split_into_words() {
        assert_eq!(words_of_name("dnsNames"), ["dns", "name"]);
        assert_eq!(words_of_name("HTTPHosts"), ["httphost"]);
        assert_eq!(words_of_name("my-key"), ["my", "key"]);
        assert_eq!(words_of_name("address"), ["address"]);
    }
}
