//! JSON patches of definitions.

use yaml::Json;

use crate::suite::Patch;

/// Applies the steps in order.
///
/// # Errors
/// The step that cannot be applied, and why.
pub(crate) fn apply(mut object: Json, patches: &[Patch]) -> Result<Json, String> {
    for patch in patches {
        step(&mut object, patch).map_err(|problem| format!("{} {}: {problem}", patch.op, patch.path))?;
    }
    Ok(object)
}

fn step(object: &mut Json, patch: &Patch) -> Result<(), String> {
    let path = segments(&patch.path)?;
    match patch.op.as_str() {
        "add" => add(object, &path, patch.value.to_json()),
        "remove" => remove(object, &path).map(drop),
        "replace" => {
            *value_at(object, &path)? = patch.value.to_json();
            Ok(())
        }
        "copy" => {
            let value = value_at(object, &segments(&patch.from)?)?.clone();
            add(object, &path, value)
        }
        "move" => {
            let value = remove(object, &segments(&patch.from)?)?;
            add(object, &path, value)
        }
        "test" if *value_at(object, &path)? == patch.value.to_json() => Ok(()),
        "test" => Err("the value differs".to_owned()),
        op => Err(format!("`{op}` is not an operation; use add, remove, replace, copy, move or test")),
    }
}

fn segments(path: &str) -> Result<Vec<String>, String> {
    let rest = path.strip_prefix('/').ok_or("the path does not start with `/`")?;
    Ok(rest.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~")).collect())
}

/// The value at a path.
fn value_at<'j>(object: &'j mut Json, path: &[String]) -> Result<&'j mut Json, String> {
    path.iter().try_fold(object, |at, segment| {
        let missing = || format!("`{segment}` does not exist");
        match at {
            Json::Object(members) => members.get_mut(segment).ok_or_else(missing),
            Json::Array(items) => {
                let index = index(items, segment).ok_or_else(missing)?;
                items.get_mut(index).ok_or_else(missing)
            }
            _ => Err(missing()),
        }
    })
}

/// The index of a segment: a number, or the position of the item in which a key has a value.
fn index(items: &[Json], segment: &str) -> Option<usize> {
    if let Some((key, value)) = segment.split_once('=') {
        return items.iter().position(|item| item.get(key).and_then(Json::as_str) == Some(value));
    }
    segment.parse().ok()
}

fn add(object: &mut Json, path: &[String], value: Json) -> Result<(), String> {
    let Some((last, above)) = path.split_last() else { return Err("the path is empty".to_owned()) };
    match value_at(object, above)? {
        Json::Object(members) => {
            members.insert(last.clone(), value);
            Ok(())
        }
        Json::Array(items) => {
            let at = if last == "-" { Some(items.len()) } else { index(items, last) };
            let at = at.filter(|at| *at <= items.len()).ok_or_else(|| format!("`{last}` does not exist"))?;
            items.insert(at, value);
            Ok(())
        }
        _ => Err(format!("a scalar cannot have `{last}`")),
    }
}

fn remove(object: &mut Json, path: &[String]) -> Result<Json, String> {
    let Some((last, above)) = path.split_last() else { return Err("the path is empty".to_owned()) };
    let missing = || format!("`{last}` does not exist");
    match value_at(object, above)? {
        Json::Object(members) => members.remove(last).ok_or_else(missing),
        Json::Array(items) => {
            let at = index(items, last).filter(|at| *at < items.len()).ok_or_else(missing)?;
            Ok(items.remove(at))
        }
        _ => Err(missing()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::suite_values::object_of_text;

    fn patched(object: &str, patches: &[(&str, &str, &str)]) -> Result<String, String> {
        let read = |text: &str| object_of_text(&format!("v: {text}\n")).unwrap();
        let patches: Vec<Patch> = patches
            .iter()
            .map(|(op, path, value)| Patch {
                op: (*op).to_owned(),
                path: (*path).to_owned(),
                from: String::new(),
                value: read(value).get("v").unwrap().clone(),
            })
            .collect();
        let object = read(object).get("v").unwrap().to_json();
        apply(object, &patches).map(|patched| patched.to_string())
    }

    #[test]
    fn steps_change_objects_and_lists() {
        let object = "{a: {b: [{name: one, c: 1}, {name: two, c: 2}]}}";
        assert_eq!(
            patched(object, &[("remove", "/a/b/0", "null"), ("add", "/a/b/-", "3")]).unwrap(),
            r#"{"a":{"b":[{"c":2,"name":"two"},3]}}"#
        );
        assert_eq!(
            patched(object, &[("replace", "/a/b/name=two/c", "{d: 1}"), ("remove", "/a/b/0/c", "null")])
                .unwrap(),
            r#"{"a":{"b":[{"name":"one"},{"c":{"d":1},"name":"two"}]}}"#
        );
    }

    #[test]
    fn a_step_that_cannot_be_applied_states_the_reason() {
        assert_eq!(patched("{}", &[("remove", "/a", "null")]).unwrap_err(), "remove /a: `a` does not exist");
        assert_eq!(
            patched("{}", &[("add", "a", "1")]).unwrap_err(),
            "add a: the path does not start with `/`"
        );
        assert!(patched("{}", &[("merge", "/a", "1")]).unwrap_err().contains("is not an operation"));
    }
}
