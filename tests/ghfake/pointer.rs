//! Places in a JSON document, as faults name them: `/data/repository/nodes/*/author`, where `*` is
//! every item. Must change nothing it was not pointed at.

use serde_json::Value;

/// Puts a value at each place that is there.
pub(crate) fn set(document: &mut Value, pointer: &str, value: &Value) -> usize {
    each(document, &parts(pointer), &mut |it| *it = value.clone())
}

/// Removes each member that is there.
pub(crate) fn drop(document: &mut Value, pointer: &str) -> usize {
    let all = parts(pointer);
    let Some((last, before)) = all.split_last() else { return 0 };
    let mut gone = 0;
    each(document, before, &mut |it| {
        gone += match it {
            Value::Object(map) => usize::from(map.remove(last).is_some()),
            Value::Array(list) => match last.parse::<usize>() {
                Ok(at) if at < list.len() => {
                    list.remove(at);
                    1
                }
                _ => 0,
            },
            _ => 0,
        };
    });
    gone
}

fn parts(pointer: &str) -> Vec<String> {
    let whole = pointer.strip_prefix('/').unwrap_or(pointer);
    whole.split('/').filter(|it| !it.is_empty()).map(|it| it.replace("~1", "/")).collect()
}

fn each(at: &mut Value, parts: &[String], change: &mut impl FnMut(&mut Value)) -> usize {
    let Some((first, rest)) = parts.split_first() else {
        change(at);
        return 1;
    };
    match at {
        Value::Object(map) if first == "*" => {
            map.values_mut().map(|it| each(it, rest, change)).sum()
        }
        Value::Object(map) => map.get_mut(first).map_or(0, |it| each(it, rest, change)),
        Value::Array(list) if first == "*" => {
            list.iter_mut().map(|it| each(it, rest, change)).sum()
        }
        Value::Array(list) => {
            let item = first.parse::<usize>().ok().and_then(|at| list.get_mut(at));
            item.map_or(0, |it| each(it, rest, change))
        }
        _ => 0,
    }
}
