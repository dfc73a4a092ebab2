//! Texts that become valid after one change: a sign, a blank or a letter too many, another case, another unit.

/// The maximum length of a text that is corrected.
const LONGEST: usize = 100;

/// Units as people write them, and as Go and Kubernetes write them.
const UNITS: [(&[&str], &str); 9] = [
    (&["s", "sec", "secs", "second", "seconds"], "s"),
    (&["m", "min", "mins", "minute", "minutes"], "m"),
    (&["h", "hr", "hrs", "hour", "hours"], "h"),
    (&["ms", "msec", "millis", "milliseconds"], "ms"),
    (&["ki", "kib"], "Ki"),
    (&["mi", "mib"], "Mi"),
    (&["gi", "gib"], "Gi"),
    (&["ti", "tib"], "Ti"),
    (&["kb"], "k"),
];
/// Units of bytes without their `b`.
const OF_BYTES: [(&str, &str); 3] = [("mb", "M"), ("gb", "G"), ("tb", "T")];

/// The text that satisfies `is_valid` after the smallest change of `written`.
pub(super) fn corrected(written: &str, is_valid: &dyn Fn(&str) -> bool) -> Option<String> {
    if written.is_empty() || written.len() > LONGEST {
        return None;
    }
    let mut simple = vec![
        written.trim().to_owned(),
        written.split_whitespace().collect(),
        with_unit(written).unwrap_or_default(),
        written.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned(),
        written.to_lowercase(),
        written.to_uppercase(),
    ];
    for from in ['_', ' ', '.', '/'] {
        simple.push(written.trim().replace(from, "-"));
        simple.push(written.trim().to_lowercase().replace(from, "-"));
    }
    let is_new = |text: &String| !text.is_empty() && text != written && is_valid(text);
    simple.into_iter().find(is_new).or_else(|| without_one(written, &is_new))
}

/// `text` with `-` in place of characters that a label's value, or its key without a domain, must not have.
pub(in crate::fixes) fn label_name(text: &str) -> String {
    let valid = |char: char| if char.is_ascii_alphanumeric() || "._-".contains(char) { char } else { '-' };
    text.chars().map(valid).collect::<String>().trim_matches(['-', '_', '.']).to_owned()
}

/// The same for the key of a label or annotation: a domain may precede the first `/`.
pub(in crate::fixes) fn label_key(text: &str) -> String {
    let text = text.trim_matches(|char: char| !char.is_ascii_alphanumeric());
    match text.split_once('/') {
        Some((domain, name)) => format!("{}/{}", label_name(&domain.to_lowercase()), label_name(name)),
        None => label_name(text),
    }
}

/// The only valid text with one letter less.
fn without_one(written: &str, is_valid: &dyn Fn(&String) -> bool) -> Option<String> {
    let mut found: Option<String> = None;
    for (at, letter) in written.char_indices() {
        let (before, after) = (written.get(..at)?, written.get(at + letter.len_utf8()..)?);
        let shorter = format!("{before}{after}");
        if found.as_ref() == Some(&shorter) || !is_valid(&shorter) {
            continue;
        }
        if found.replace(shorter).is_some() {
            return None;
        }
    }
    found
}

/// A number with its unit as Go and Kubernetes write it.
fn with_unit(written: &str) -> Option<String> {
    let number_end = written.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = written.split_at(number_end);
    let unit = unit.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let of_name = UNITS.iter().find(|(names, _)| names.contains(&unit.as_str())).map(|(_, unit)| *unit);
    let of_bytes = || OF_BYTES.iter().find(|(name, _)| *name == unit).map(|(_, unit)| *unit);
    let unit = of_name.or_else(of_bytes)?;
    (!number.is_empty()).then(|| format!("{number}{unit}"))
}

/// A valid name of an object that is near to `written`. The prefix of a name may end with a dash.
pub(super) fn object_name(written: &str, is_prefix: bool) -> String {
    let sign = |letter: char| match letter {
        'a'..='z' | '0'..='9' | '.' | '-' => letter,
        _ => '-',
    };
    let name: String = written.trim().to_lowercase().chars().map(sign).collect();
    let name = name.trim_start_matches(['-', '.']);
    let end: &[char] = if is_prefix { &['.'] } else { &['-', '.'] };
    name.trim_end_matches(end).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_change_is_made() {
        let duration = crd::schema::structural::Pattern::new("^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$");
        let quantity = crd::schema::structural::Pattern::new("^[0-9]+([KMGT]i|[mkMGT])?$");
        let label = crd::schema::structural::Pattern::new("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$");
        for (pattern, written, intended) in [
            (&duration, "10 m", Some("10m")),
            (&duration, "10min", Some("10m")),
            (&duration, "1mb", Some("1m")),
            (&duration, "10M", Some("10m")),
            (&duration, "ten", None),
            (&quantity, "1 Gi", Some("1Gi")),
            (&quantity, "1gi", Some("1Gi")),
            (&quantity, "1GB", Some("1G")),
            (&label, "tls!", Some("tls")),
            (&label, "my_name", Some("my-name")),
            (&label, "MyName", Some("myname")),
            (&label, "", None),
        ] {
            let is_valid = |text: &str| pattern.is_match(text) == Ok(true);
            assert_eq!(corrected(written, &is_valid).as_deref(), intended, "{written}");
        }
        assert_eq!(object_name("My_Widget!", false), "my-widget");
        assert_eq!(object_name("My_Widget-", true), "my-widget-");
    }
}
