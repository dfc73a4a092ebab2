//! The JSON that scripts rely on; `answers` writes it.

pub(super) use answers::json::write;

#[cfg(test)]
mod tests {
    use answers::{MAX_FIXES, MAX_RELATED};
    use ide::{RelatedInformation, ServerError};

    use super::super::samples::rendered;
    use super::*;

    #[test]
    fn the_json_has_the_documented_form() {
        let expected = concat!(
            r#"{"schemaVersion":2,"files":[{"path":"dir/my file.yaml","diagnostics":["#,
            r#"{"code":"structural/type-required","severity":"error","message":"100% wrong,\nreally","#,
            r#""problem":"100% wrong,\nreally","#,
            r#""range":{"start":{"line":0,"character":6},"end":{"line":0,"character":7}},"fieldPath":"spec.a","#,
            r#""apiServer":{"type":"FieldValueRequired","field":"spec.a","detail":"must not be empty","#,
            r#""message":"spec.a: Required value: must not be empty"},"#,
            r#""related":[{"path":"dir/my file.yaml","range":{"start":{"line":1,"character":0},"#,
            r#""end":{"line":1,"character":1}},"message":"missing here"}],"#,
            r#""url":"https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/"#,
            r#"custom-resource-definitions/#specifying-a-structural-schema","fixes":[]},"#,
            r#"{"code":"lint/number","severity":"warning","message":"is pruned","problem":"is pruned","#,
            r#""range":{"start":{"line":1,"character":3},"end":{"line":1,"character":9}},"#,
            r#""url":"https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md","#,
            r#""fixes":[]}],"#,
            r#""fixes":[]}],"#,
            r#""summary":{"definitions":0,"rules":0,"resources":0,"errors":1,"warnings":1,"notJudged":["#,
            r#"{"path":"dir/my file.yaml","line":1,"apiVersion":"","kind":"","reason":"unreadable"}]}}"#,
            "\n"
        );
        assert_eq!(rendered(write), expected);
    }

    #[test]
    fn related_places_are_capped_and_counted() {
        let mut report = super::super::samples::report();
        if let Some(finding) = report.findings.first_mut() {
            finding.related = vec![RelatedInformation::here(finding.range, "here"); 300];
        }
        let text = super::super::samples::output_text(&[report], write);
        assert_eq!(text.matches(r#""message":"here""#).count(), MAX_RELATED);
        assert!(text.contains(r#""relatedOmitted":290"#), "{text}");
    }

    #[test]
    fn fixes_are_capped_by_their_bytes_and_counted() {
        let all = super::super::samples::output_text(&[super::super::samples::with_fixes(100, 1000)], write);
        // 64 KiB hold 59 fixes with the surrounding JSON.
        assert_eq!(
            (all.matches(r#""title":"Fix "#).count(), all.contains(r#""fixesOmitted":41"#)),
            (59, true)
        );
        assert!(all.contains(r#""fixes":[0,1,2,3,4,5,6,7,8,9]"#), "no finding names more than {MAX_FIXES}");
        let few = super::super::samples::output_text(&[super::super::samples::with_fixes(50, 1000)], write);
        assert!(!few.contains("fixesOmitted"), "{few}");
    }

    #[test]
    fn a_long_answer_is_written_once() {
        let mut report = super::super::samples::report();
        let detail = "word ".repeat(1_000);
        if let Some(first) = report.findings.first_mut() {
            first.api_server =
                Some(ServerError::error(ide::ErrorType::Invalid, "spec.a".to_owned(), detail.clone()));
            let same = first.clone();
            report.findings.push(same);
        }
        let text = super::super::samples::output_text(&[report], write);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or(serde_json::Value::Null);
        let answer = |at: usize| &json["files"][0]["diagnostics"][at]["apiServer"];
        assert_eq!(answer(0)["detail"], detail);
        assert_eq!(answer(0)["message"], format!("spec.a: Invalid value: {detail}"));
        assert_eq!((&answer(0)["detailOf"], &answer(2)["detailOf"]), (&serde_json::Value::Null, &0.into()));
        assert!(text.len() < 3 * detail.len(), "{text}");
    }
}
