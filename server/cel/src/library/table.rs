//! Which function runs for which overload of `env/overloads.tsv`.

use super::{
    Context, Function, Implementation, Trait, convert, formats, kubernetes, lists, lists_ext, network,
    operators, optionals, regexes, string_format, strings, times,
};
use crate::value::{EvalError, Outcome, Value};

/// The functions that have one implementation for all overloads.
pub(crate) fn singleton(function: &str) -> Option<Function> {
    let (run, needs): (Implementation, Trait) = match function {
        "!_" => (operators::not, Trait::Any),
        "-_" => (operators::negate, Trait::Negates),
        "_+_" => (operators::add, Trait::Adds),
        "_-_" => (operators::subtract, Trait::Subtracts),
        "_*_" => (operators::multiply, Trait::Multiplies),
        "_/_" => (operators::divide, Trait::Divides),
        "_%_" => (operators::modulo, Trait::Takes),
        "_<_" => (operators::less, Trait::Compares),
        "_<=_" => (operators::less_equals, Trait::Compares),
        "_>_" => (operators::greater, Trait::Compares),
        "_>=_" => (operators::greater_equals, Trait::Compares),
        "@in" | "in" | "_in_" => (operators::is_in, Trait::Contains),
        "@not_strictly_false" | "__not_strictly_false__" => (convert::identity, Trait::Any),
        "size" => (operators::size, Trait::HasSize),
        "type" => (convert::type_of, Trait::Any),
        "dyn" => (convert::identity, Trait::Any),
        "matches" => (regexes::matches, Trait::Matches),
        "sort" => (lists_ext::sort, Trait::IsList),
        "@sortByAssociatedKeys" => (lists_ext::sort_by_keys, Trait::IsList),
        _ => return None,
    };
    Some(Function { run, needs })
}

/// What a function runs whose pattern is compiled already.
pub(crate) fn of_pattern(function: &str) -> Option<Implementation> {
    Some(match function {
        "matches" => regexes::matches,
        "find" => regexes::find,
        "findAll" => regexes::find_all,
        _ => return None,
    })
}

/// Whether an overload looks at the types of its arguments itself; cel-go checks those of all others.
pub(crate) fn checks_types_itself(overload: &str) -> bool {
    matches!(
        overload,
        "contains_string" | "starts_with_string" | "ends_with_string" | "list_flatten" | "list_flatten_int"
    )
}

fn named_format<'a>(key: &str) -> Outcome<Value<'a>> {
    formats::named(key).map(Value::Format).ok_or(EvalError::NoSuchOverload)
}

macro_rules! constant_format {
    ($key:literal) => {{
        fn make<'a>(_: &Context<'_>, _: &mut [Value<'a>]) -> Outcome<Value<'a>> {
            named_format($key)
        }
        make
    }};
}

/// What an overload runs, none for those that nobody can call.
pub(crate) fn implementation(overload: &str) -> Option<Implementation> {
    standard(overload)
        .or_else(|| of_time(overload))
        .or_else(|| of_lists(overload))
        .or_else(|| of_kubernetes(overload))
}

fn standard(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "bool_to_bool"
        | "bytes_to_bytes"
        | "double_to_double"
        | "duration_to_duration"
        | "int64_to_int64"
        | "string_to_string"
        | "timestamp_to_timestamp"
        | "uint64_to_uint64" => convert::identity,
        "string_to_bool" => convert::bool,
        "string_to_bytes" => convert::bytes,
        "int64_to_double" | "string_to_double" | "uint64_to_double" => convert::double,
        "string_to_duration" => convert::duration,
        "double_to_int64" | "duration_to_int64" | "string_to_int64" | "timestamp_to_int64"
        | "uint64_to_int64" => convert::int,
        "bool_to_string"
        | "bytes_to_string"
        | "double_to_string"
        | "duration_to_string"
        | "int64_to_string"
        | "timestamp_to_string"
        | "uint64_to_string"
        | "ip_to_string"
        | "cidr_to_string" => convert::string,
        "int64_to_timestamp" | "string_to_timestamp" => convert::timestamp,
        "double_to_uint64" | "int64_to_uint64" | "string_to_uint64" => convert::uint,
        "contains_string" => strings::contains,
        "starts_with_string" => strings::starts_with,
        "ends_with_string" => strings::ends_with,
        "string_char_at_int" => strings::char_at,
        "string_index_of_string" | "string_index_of_string_int" => strings::index_of,
        "string_last_index_of_string" | "string_last_index_of_string_int" => strings::last_index_of,
        "string_lower_ascii" => strings::lower_ascii,
        "string_upper_ascii" => strings::upper_ascii,
        "string_replace_string_string" | "string_replace_string_string_int" => strings::replace,
        "string_split_string" | "string_split_string_int" => strings::split,
        "string_substring_int" | "string_substring_int_int" => strings::substring,
        "string_trim" => strings::trim,
        "string_format" => string_format::format,
        "strings_quote" => strings::quote,
        "list_join" | "list_join_string" => strings::join,
        "string_find_string" => regexes::find,
        "string_find_all_string" | "string_find_all_string_int" => regexes::find_all,
        "optional_of" => optionals::of,
        "optional_ofNonZeroValue" => optionals::of_non_zero,
        "optional_none" => optionals::none,
        "optional_value" => optionals::value,
        "optional_hasValue" => optionals::has_value,
        "optional_unwrap" | "optional_unwrapOpt" => optionals::unwrap,
        "list_first" => optionals::first,
        "list_last" => optionals::last,
        _ => return None,
    })
}

fn of_time(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "timestamp_to_year" | "timestamp_to_year_with_tz" => times::year,
        "timestamp_to_month" | "timestamp_to_month_with_tz" => times::month,
        "timestamp_to_day_of_year" | "timestamp_to_day_of_year_with_tz" => times::day_of_year,
        "timestamp_to_day_of_month" | "timestamp_to_day_of_month_with_tz" => times::day_of_month,
        "timestamp_to_day_of_month_1_based" | "timestamp_to_day_of_month_1_based_with_tz" => times::date,
        "timestamp_to_day_of_week" | "timestamp_to_day_of_week_with_tz" => times::day_of_week,
        "timestamp_to_hours" | "timestamp_to_hours_with_tz" => times::hours,
        "timestamp_to_minutes" | "timestamp_to_minutes_with_tz" => times::minutes,
        "timestamp_to_seconds" | "timestamp_to_seconds_tz" => times::seconds,
        "timestamp_to_milliseconds" | "timestamp_to_milliseconds_with_tz" => times::milliseconds,
        "duration_to_hours" => times::duration_hours,
        "duration_to_minutes" => times::duration_minutes,
        "duration_to_seconds" => times::duration_seconds,
        "duration_to_milliseconds" => times::duration_milliseconds,
        _ => return None,
    })
}

fn of_lists(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "list_int_sum_int" => lists::sum_ints,
        "list_uint_sum_uint" => lists::sum_uints,
        "list_double_sum_double" => lists::sum_doubles,
        "list_duration_sum_duration" => lists::sum_durations,
        "list_a_index_of_int" => lists::index_of,
        "list_a_last_index_of_int" => lists::last_index_of,
        "list_includes_dyn_dyn" => lists::includes,
        "list_sets_contains_list" => lists::sets_contains,
        "list_sets_equivalent_list" => lists::sets_equivalent,
        "list_sets_intersects_list" => lists::sets_intersects,
        "@mapInsert_map_key_value" => lists::map_insert,
        "@mapInsert_map_map" => lists::map_insert_all,
        "lists_range" => lists_ext::range,
        "list_slice" => lists_ext::slice,
        "list_reverse" => lists_ext::reverse,
        "list_flatten" | "list_flatten_int" => lists_ext::flatten,
        "list_distinct" => lists_ext::distinct,
        _ if overload.ends_with("_is_sorted_bool") => lists::is_sorted,
        _ if overload.starts_with("list_") && overload.contains("_max_") => lists::max,
        _ if overload.starts_with("list_") && overload.contains("_min_") => lists::min,
        _ => return None,
    })
}

fn of_kubernetes(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_to_url" => network::url,
        "is_url_string" => network::is_url,
        "url_get_scheme" => network::scheme,
        "url_get_host" => network::host,
        "url_get_hostname" => network::hostname,
        "url_get_port" => network::port,
        "url_get_escaped_path" => network::escaped_path,
        "url_get_query" => network::query,
        "string_to_ip" => network::ip,
        "is_ip" => network::is_ip,
        "ip_is_canonical" => network::is_canonical,
        "ip_family" => network::family,
        "ip_is_unspecified" => network::is_unspecified,
        "ip_is_loopback" => network::is_loopback,
        "ip_is_link_local_multicast" => network::is_link_local_multicast,
        "ip_is_link_local_unicast" => network::is_link_local_unicast,
        "ip_is_global_unicast" => network::is_global_unicast,
        "string_to_cidr" => network::cidr,
        "is_cidr" => network::is_cidr,
        "cidr_contains_ip_string" | "cidr_contains_ip_ip" => network::contains_ip,
        "cidr_contains_cidr_string" | "cidr_contains_cidr" => network::contains_cidr,
        "cidr_ip" => network::cidr_ip,
        "cidr_prefix_length" => network::prefix_length,
        "cidr_masked" => network::masked,
        "string_to_quantity" => kubernetes::quantity,
        "is_quantity_string" => kubernetes::is_quantity,
        "quantity_sign" => kubernetes::sign,
        "quantity_get_int" => kubernetes::as_integer,
        "quantity_is_integer" => kubernetes::is_integer,
        "quantity_get_float" => kubernetes::as_float,
        "quantity_is_greater_than" | "semver_is_greater_than" => kubernetes::is_greater_than,
        "quantity_is_less_than" | "semver_is_less_than" => kubernetes::is_less_than,
        "quantity_compare_to" | "semver_compare_to" => kubernetes::compare_to,
        "quantity_add" | "quantity_add_int" => kubernetes::add,
        "quantity_sub" | "quantity_sub_int" => kubernetes::sub,
        "string_to_semver" | "string_bool_to_semver" => kubernetes::semver,
        "is_semver_string" | "is_semver_string_bool" => kubernetes::is_semver,
        "semver_major" => kubernetes::major,
        "semver_minor" => kubernetes::minor,
        "semver_patch" => kubernetes::patch,
        "format-named" => kubernetes::format_named,
        "format-validate" => kubernetes::validate,
        "format.dns1123Label" => constant_format!("dns1123Label"),
        "format.dns1123Subdomain" => constant_format!("dns1123Subdomain"),
        "format.dns1035Label" => constant_format!("dns1035Label"),
        "format.qualifiedName" => constant_format!("qualifiedName"),
        "format.dns1123LabelPrefix" => constant_format!("dns1123LabelPrefix"),
        "format.dns1123SubdomainPrefix" => constant_format!("dns1123SubdomainPrefix"),
        "format.dns1035LabelPrefix" => constant_format!("dns1035LabelPrefix"),
        "format.labelValue" => constant_format!("labelValue"),
        "format.uri" => constant_format!("uri"),
        "format.uuid" => constant_format!("uuid"),
        "format.byte" => constant_format!("byte"),
        "format.date" => constant_format!("date"),
        "format.datetime" => constant_format!("datetime"),
        _ => return None,
    })
}
