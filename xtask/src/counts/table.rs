//! `counts.tsv`: the recorded figures of each scenario, and the reason for their last change.

use std::fmt;

/// The tolerated increase over the recorded cost of a scenario, in percent.
pub(super) const TOLERATED_PERCENT: i64 = 5;
/// The tolerated increase for a whole program: its figure includes the loader and the environment, which differ between
/// machines by several percent.
pub(super) const TOLERATED_PERCENT_OF_PROGRAM: i64 = 15;
/// An increase that is always tolerated.
const TOLERATED: i64 = 16;

const COLUMNS: &str = "scenario\tinstructions\tallocations\tbytes\tpeak\theld\treason of the last change";

/// The figures of a scenario; `None` for figures that cannot be counted or have no use there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ScenarioFigures {
    pub(super) instructions: Option<i64>,
    pub(super) allocations: Option<i64>,
    pub(super) bytes: Option<i64>,
    pub(super) peak: Option<i64>,
    pub(super) held: Option<i64>,
}

impl ScenarioFigures {
    /// Parses the output of the scenarios: allocations, bytes, peak, held.
    pub(super) fn of_allocations(line: &str) -> Result<Self, String> {
        let [allocations, bytes, peak, held] = numbers(line.trim_end())?[..] else {
            return Err(format!("not four numbers: {line}"));
        };
        Ok(Self { instructions: None, allocations, bytes, peak, held })
    }

    fn all(&self) -> [(&'static str, Option<i64>); 5] {
        [
            ("instructions", self.instructions),
            ("allocations", self.allocations),
            ("bytes", self.bytes),
            ("peak", self.peak),
            ("held", self.held),
        ]
    }

    /// The pairs of figures that both have, with their names.
    fn paired_with(&self, other: &Self) -> impl Iterator<Item = (&'static str, i64, i64)> {
        let pairs = self.all().into_iter().zip(other.all());
        pairs.filter_map(|((name, one), (_, other))| Some((name, one?, other?)))
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    name: String,
    counted: ScenarioFigures,
    reason: String,
}

impl Row {
    pub(super) fn new(name: &str, counted: ScenarioFigures) -> Self {
        Self { name: name.to_owned(), counted, reason: String::new() }
    }
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    /// The tools that counted the figures.
    pub(super) tools: String,
    rows: Vec<Row>,
}

impl Table {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        let first = lines.next().and_then(|line| line.strip_prefix("# "));
        let tools = first.ok_or("the first line does not say what was counted with")?.to_owned();
        if lines.next() != Some(COLUMNS) {
            return Err(format!("the second line is not `{COLUMNS}`"));
        }
        let rows = lines.map(parse_row).collect::<Result<_, _>>()?;
        Ok(Self { tools, rows })
    }

    /// The scenarios that cost more than recorded, are not recorded, or are recorded but were not counted.
    pub(super) fn problems(&self, counted: &[Row]) -> Vec<String> {
        let mut problems = Vec::new();
        for row in counted {
            let Some(recorded) = self.find_row(&row.name) else {
                problems.push(format!("{}: is not recorded", row.name));
                continue;
            };
            let percent = row.tolerated_percent();
            let pairs = recorded.counted.paired_with(&row.counted);
            let more = pairs.filter(|(_, before, now)| is_more(*before, *now, percent));
            problems.extend(more.map(|(name, before, now)| {
                format!("{}: {name} were {before}, are {now} ({})", row.name, share(before, now))
            }));
        }
        // Without valgrind, whole programs are not counted.
        let is_gone =
            |row: &&Row| row.counted.held.is_some() && counted.iter().all(|one| one.name != row.name);
        problems.extend(
            self.rows
                .iter()
                .filter(is_gone)
                .map(|row| format!("{}: is recorded, but there is no such scenario", row.name)),
        );
        problems
    }

    /// A readable line with the figures of a row.
    pub(super) fn line(&self, row: &Row) -> String {
        let recorded = self.find_row(&row.name).map(|row| row.counted).unwrap_or_default();
        let figures = row.counted.all().into_iter().filter_map(|(name, now)| Some((name, now?)));
        let figures: Vec<String> = figures
            .map(|(name, now)| {
                let before =
                    recorded.all().into_iter().find_map(|(of, before)| before.filter(|_| of == name));
                let share = before.map(|before| format!(" ({})", share(before, now))).unwrap_or_default();
                format!("{name} {now}{share}")
            })
            .collect();
        format!("{:<34} {}", row.name, figures.join(", "))
    }

    /// The table with the new figures. A row whose figures have hardly changed stays unchanged, so that small increases
    /// accumulate until somebody gives a reason.
    pub(super) fn updated(&self, counted: &[Row], reason: &str, tools: &str) -> Self {
        let rows = counted.iter().map(|row| match self.find_row(&row.name) {
            Some(recorded) if !recorded.differs(row) => recorded.clone(),
            _ => Row { reason: reason.to_owned(), ..row.clone() },
        });
        Self { tools: tools.to_owned(), rows: rows.collect() }
    }

    fn find_row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

impl Row {
    fn differs(&self, other: &Self) -> bool {
        let mut pairs = self.counted.paired_with(&other.counted);
        let percent = self.tolerated_percent();
        pairs.any(|(_, before, now)| is_more(before, now, percent) || is_more(now, before, percent))
    }

    /// Allocations are counted only within scenarios, so a row without them is a whole program.
    fn tolerated_percent(&self) -> i64 {
        if self.counted.held.is_some() { TOLERATED_PERCENT } else { TOLERATED_PERCENT_OF_PROGRAM }
    }
}

fn is_more(before: i64, now: i64, percent: i64) -> bool {
    now - before > (before.abs() * percent / 100).max(TOLERATED)
}

fn share(before: i64, now: i64) -> String {
    if before == 0 {
        return format!("{:+}", now);
    }
    // Rounded for readers to one decimal.
    format!("{:+.1} %", (now - before) as f64 * 100.0 / before as f64)
}

fn parse_row(line: &str) -> Result<Row, String> {
    let parts: Vec<&str> = line.splitn(7, '\t').collect();
    let [name, figures @ .., reason] = &parts[..] else { return Err(format!("no row: {line}")) };
    if reason.trim().is_empty() {
        return Err(format!("{name}: no reason is given"));
    }
    let [instructions, allocations, bytes, peak, held] = numbers(&figures.join("\t"))?[..] else {
        return Err(format!("{name}: not five figures"));
    };
    let counted = ScenarioFigures { instructions, allocations, bytes, peak, held };
    Ok(Row { name: (*name).to_owned(), counted, reason: (*reason).to_owned() })
}

/// Numbers between tabs; a dash is `None`.
fn numbers(line: &str) -> Result<Vec<Option<i64>>, String> {
    let number = |word: &str| match word {
        "-" => Ok(None),
        word => word.parse().map(Some).map_err(|error| format!("`{word}`: {error}")),
    };
    line.split('\t').map(number).collect()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {}\n{COLUMNS}", self.tools)?;
        for Row { name, counted, reason } in &self.rows {
            write!(f, "{name}")?;
            for (_, figure) in counted.all() {
                match figure {
                    Some(figure) => write!(f, "\t{figure}")?,
                    None => write!(f, "\t-")?,
                }
            }
            writeln!(f, "\t{reason}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_row(name: &str, instructions: i64, allocations: i64) -> Row {
        let counted = ScenarioFigures {
            instructions: Some(instructions),
            allocations: Some(allocations),
            held: Some(0),
            ..ScenarioFigures::default()
        };
        Row::new(name, counted)
    }

    fn table(rows: &[Row]) -> Table {
        Table::default().updated(rows, "first", "tools")
    }

    #[test]
    fn a_written_table_can_be_read() {
        let table = table(&[new_row("open", 10, 20), new_row("memory: tree", 1, 2)]);
        assert_eq!(Table::read(&table.to_string()), Ok(table));
    }

    #[test]
    fn an_increase_of_five_percent_is_a_problem_and_a_smaller_one_is_not() {
        let table = table(&[new_row("open", 1_000_000, 1_000)]);
        assert_eq!(table.problems(&[new_row("open", 1_050_000, 1_050)]), Vec::<String>::new());
        assert_eq!(table.problems(&[new_row("open", 500_000, 10)]), Vec::<String>::new());
        let problems = table.problems(&[new_row("open", 1_050_001, 1_051)]);
        let [instructions, allocations] = &problems[..] else { unreachable!("{problems:?}") };
        assert_eq!(instructions, "open: instructions were 1000000, are 1050001 (+5.0 %)");
        assert_eq!(allocations, "open: allocations were 1000, are 1051 (+5.1 %)");
    }

    #[test]
    fn a_whole_program_may_take_fifteen_percent_more() {
        let start = |instructions| {
            Row::new(
                "server-start",
                ScenarioFigures { instructions: Some(instructions), ..ScenarioFigures::default() },
            )
        };
        let table = table(&[start(1_000_000)]);
        assert_eq!(table.problems(&[start(1_150_000)]), Vec::<String>::new());
        assert_eq!(
            table.problems(&[start(1_150_001)]),
            ["server-start: instructions were 1000000, are 1150001 (+15.0 %)"]
        );
    }

    #[test]
    fn new_and_removed_scenarios_are_problems() {
        let problems = table(&[new_row("open", 1, 1)]).problems(&[new_row("close", 1, 1)]);
        assert_eq!(problems, ["close: is not recorded", "open: is recorded, but there is no such scenario"]);
    }

    #[test]
    fn without_instructions_allocations_still_count() {
        let allocated =
            ScenarioFigures::of_allocations("2000\t1\t1\t0\n").map(|counted| Row::new("open", counted));
        let problems = allocated.map(|row| table(&[self::new_row("open", 1, 1_000)]).problems(&[row]));
        assert_eq!(problems, Ok(vec!["open: allocations were 1000, are 2000 (+100.0 %)".to_owned()]));
    }

    #[test]
    fn a_row_changes_only_with_its_reason() {
        let before = table(&[new_row("open", 1_000, 1_000), new_row("edit", 1_000, 1_000)]);
        let after =
            before.updated(&[new_row("open", 1_040, 1_000), new_row("edit", 900, 1_000)], "faster", "tools");
        let reasons: Vec<&str> = after.rows.iter().map(|row| &*row.reason).collect();
        assert_eq!(reasons, ["first", "faster"]);
        assert_eq!(after.rows[0].counted, before.rows[0].counted);
    }

    #[test]
    fn a_row_without_a_reason_is_refused() {
        let text = format!("# tools\n{COLUMNS}\nopen\t1\t-\t-\t-\t-\t\n");
        assert_eq!(Table::read(&text), Err("open: no reason is given".to_owned()));
    }
}
