//! Variables with static storage.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::evaluate::{self, Base, Object};
use crate::hir::{Init, Program, Type, TypeKind, Variable, VariableId};
use crate::ir::{Global, GlobalId, Initial, Space, Symbol};

/// Alignment of shared memory of launch size: all such arrays are the same bytes, so each is aligned for any of them, as by
/// NVRTC.
const LAUNCH_SIZED: u32 = 16;

/// One global for each variable, by the same number.
pub(super) fn lower(program: &Program, sink: &mut Diagnostics) -> Vec<Global> {
    (0..program.variables.len())
        .map(|number| VariableId(number as u32))
        .zip(&program.variables)
        .map(|(id, variable)| {
            // Zeros that are given are distinguished from nothing that is: constants that nothing sets are a mistake.
            let given = variable.init.as_ref().is_some_and(|init| !matches!(init, Init::Nothing));
            let zeros = (given && variable.space == Space::Constant).then(Initial::default);
            let initial = initial(program, id, variable, sink).or(zeros);
            let (element, array) = element(program, variable.ty);
            let launch_sized = variable.external && variable.space == Space::Shared;
            Global {
                name: variable.symbol.clone(),
                space: variable.space,
                size: program.layout(variable.ty).0,
                align: variable.align.max(if launch_sized { LAUNCH_SIZED } else { 1 }),
                element,
                array,
                visible: variable.visible,
                external: variable.external,
                linkage: variable.linkage,
                managed: variable.managed,
                read_only: variable.init.is_some()
                    && matches!(variable.space, Space::Global | Space::Constant)
                    && constant(program, variable.ty),
                initial,
                span: variable.span,
            }
        })
        .collect()
}

/// Whether a variable is `const`, or an array of such.
fn constant(program: &Program, ty: Type) -> bool {
    let mut ty = ty;
    loop {
        match program.types.kind(ty) {
            _ if ty.volatile => return false,
            _ if ty.constant => return true,
            TypeKind::Array(of, _) => ty = *of,
            _ => return false,
        }
    }
}

/// Bits of the elements that PTX declares, whether they are floats, and whether there are several.
pub(super) fn element(program: &Program, ty: Type) -> ((u32, bool), bool) {
    match program.types.kind(ty) {
        TypeKind::Array(of, _) | TypeKind::UnknownArray(of) => (element(program, *of).0, true),
        TypeKind::Record(_) | TypeKind::Void | TypeKind::Function(..) => ((8, false), true),
        TypeKind::Float => ((32, true), false),
        TypeKind::Double => ((64, true), false),
        TypeKind::Bool
        | TypeKind::Integer(_)
        | TypeKind::Enum(_)
        | TypeKind::NullPointer
        | TypeKind::Pointer(_)
        | TypeKind::Reference { .. }
        | TypeKind::Member { .. } => {
            (((program.layout(ty).0 as u32).saturating_mul(8).clamp(8, 64), false), false)
        }
    }
}

fn initial(
    program: &Program,
    id: VariableId,
    variable: &Variable,
    sink: &mut Diagnostics,
) -> Option<Initial> {
    match &variable.init {
        None | Some(Init::Zero | Init::Nothing) => return None,
        Some(_) => {}
    }
    match evaluate::contents(program, id) {
        Ok(object) => contents(&object),
        Err(error) => {
            let message = format!("the initialiser of `{}` is not a constant expression", variable.name);
            sink.push(
                Diagnostic::error("dynamic-initialization", variable.span, message)
                    .label(error.why.clone())
                    .related(error.span, error.why)
                    .help("assign it in the kernel, or copy it from the host with `cudaMemcpyToSymbol`"),
            );
            None
        }
    }
}

/// Contents of an object whose addresses all lead to variables with static storage; nothing for zeros.
pub(super) fn contents(object: &Object) -> Option<Initial> {
    let addresses: Vec<_> = object
        .addresses()
        .iter()
        .filter_map(|(at, address)| match address.base {
            Base::Variable(id) => Some((*at, Symbol::Global(GlobalId(id.0)), address.offset)),
            Base::Function(id) => Some((*at, Symbol::Function(crate::ir::FunctionId(id.0)), address.offset)),
            Base::Local(_) | Base::Object(_) => None,
        })
        .collect();
    let bytes = object.bytes();
    if bytes.is_empty() && addresses.is_empty() { None } else { Some((bytes.to_vec(), addresses)) }
}
