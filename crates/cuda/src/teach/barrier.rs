//! Barriers that not all threads of a block come to.

use crate::builtin::{Builtin, Meaning};
use crate::diagnostic::Diagnostic;
use crate::ir::{Binary, Block, Def, Function, Op, Terminator};
use crate::source::Span;

use super::Teacher;
use super::divergence::Divergence;

/// Whether all threads of the block wait in an operation.
pub(super) fn waits(row: &Builtin) -> bool {
    matches!(row.meaning, Meaning::Barrier(_)) && row.name.starts_with("__syncthreads")
}

/// Looks for barriers under conditions that differ.
pub(super) fn look(teacher: &mut Teacher<'_>, function: &Function, divergence: &Divergence) {
    for (number, block) in function.blocks.iter().enumerate() {
        let Some(branch) = divergence.branch(Block(number as u32)) else { continue };
        for inst in &block.insts {
            let Some(inst) = function.insts.get(inst.index()) else { continue };
            let Op::Builtin(row, _) = &inst.op else { continue };
            if !waits(row) {
                continue;
            }
            let condition = condition(teacher, function, divergence, branch);
            if let (Some(span), Some(condition)) = (teacher.place(function, inst.place), condition)
                && span != condition
            {
                tell(teacher, row.name, span, condition);
            }
        }
    }
}

/// Where the condition of a branch is written; of one that consists of several, the first that differs between threads.
fn condition(
    teacher: &Teacher<'_>,
    function: &Function,
    divergence: &Divergence,
    branch: Block,
) -> Option<Span> {
    let block = function.blocks.get(branch.index())?;
    let mut value = match block.end {
        Terminator::Branch(condition, ..) => condition,
        Terminator::Switch(..) => return teacher.place(function, block.end_place),
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => return None,
    };
    let mut place = None;
    while let Def::Result(inst, _) = function.values.get(function.resolve(value).index())?.def
        && let Some(data) = function.insts.get(inst.index())
    {
        let first = data.args.iter().find(|arg| divergence.value(function, **arg));
        match (&data.op, first) {
            (Op::Binary(Binary::And | Binary::Or), Some(first)) => value = *first,
            (Op::Compare(_), _) => {
                place = teacher.place(function, data.place);
                break;
            }
            _ => break,
        }
    }
    place.or_else(|| teacher.place(function, block.end_place))
}

fn tell(teacher: &mut Teacher<'_>, name: &str, span: Span, condition: Span) {
    let message = format!("`{name}()` under a condition that depends on the thread");
    teacher.warn(
        Diagnostic::warning("divergent-barrier", span, message)
            .label("where not all threads of a block arrive here, the others may wait without end")
            .related(condition, "this condition depends on the thread")
            .help("move the barrier out of the condition: let every thread reach it, and put only the work under the `if`"),
    );
}
