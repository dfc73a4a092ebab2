//! The command line.

mod apply;
mod baseline;
mod before;
mod causes;
mod changes_table;
mod check;
mod check_go;
mod cost;
mod diff;
mod eval;
mod explain;
mod gate;
mod gates;
mod generate;
mod input;
mod learned;
mod manual;
mod migrate;
mod openapi;
mod print;
mod sample;
mod unified;
mod versions;
mod walk;

pub(crate) use apply::run as apply;
pub(crate) use check::run as check;
pub(crate) use cost::run as cost;
pub(crate) use diff::run as diff;
pub(crate) use eval::run as eval;
pub(crate) use gates::run as gates;
pub(crate) use generate::run as generate;
pub(crate) use manual::{completions, manual};
pub(crate) use migrate::run as migrate;
pub(crate) use openapi::run as openapi;
pub(crate) use sample::run as sample;
pub(crate) use versions::run as versions;
