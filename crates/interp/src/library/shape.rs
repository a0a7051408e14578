//! Assertions about the shape of what a pointer leads to, checked by walking the memory.
//!
//! The parameter's type names a structure; its members of type "pointer to the same structure" are its links. A list
//! or tree is *acyclic* if every walk from the pointer along one and the same link ends, and *unshared* if no cell on
//! such a walk is led to by that link from two of the cells that the pointer leads to. A walk ends at null and at
//! whatever is no readable cell: dangling links are not what these assertions are about.

use super::{Args, Ptr, int_info};
use crate::error::{ErrorKind, Res, fault};
use crate::machine::Machine;
use crate::value::Value;
use heapwise_ir::library::LibFn;
use heapwise_ir::{FuncId, Type};

/// Cells that a walk visits at most; a longer one is taken to end.
const MAX_CELLS: usize = 1_000_000;

impl Machine<'_, '_> {
    pub(super) fn shape_assertion(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        let name = self.function_name(args.func);
        let Some(links) = links(self.program, args.func) else {
            let why = format!("`{name}` needs one parameter, a pointer to a structure");
            return fault(ErrorKind::Unsupported, why);
        };
        let start = self.ptr_arg(args, 0)?;
        let mut cells = vec![start];
        let mut seen = std::collections::HashSet::from([start.address]);
        let mut next = 0;
        while let Some(&cell) = cells.get(next).filter(|_| cells.len() < MAX_CELLS) {
            next += 1;
            for &link in &links {
                if let Some(target) = self.follow(cell, link)
                    && seen.insert(target.address)
                {
                    cells.push(target);
                }
            }
        }
        for &link in &links {
            let mut walk = std::collections::HashSet::new();
            let mut at = Some(start).filter(|p| !p.is_null());
            while let Some(cell) = at {
                if !walk.insert(cell.address) {
                    if model == LibFn::AssertAcyclic {
                        return fault(
                            ErrorKind::Assertion,
                            format!("`{name}`: the walk along a link never ends"),
                        );
                    }
                    break;
                }
                at = self.follow(cell, link);
            }
            if model == LibFn::AssertUnshared {
                let mut entered = std::collections::HashSet::new();
                for &cell in &cells {
                    if let Some(target) = self.follow(cell, link)
                        && walk.contains(&target.address)
                        && !entered.insert(target.address)
                    {
                        return fault(ErrorKind::Assertion, format!("`{name}`: two links lead to one cell"));
                    }
                }
            }
        }
        Ok(Value::Undefined)
    }

    /// Where a link of a cell leads, unless that is null or cannot be read.
    fn follow(&self, cell: Ptr, link: u64) -> Option<Ptr> {
        if cell.is_null() {
            return None;
        }
        let at = cell.add(link);
        let word = int_info(8 * self.memory.word() as u16, false);
        let value = self.load(at.address, at.object, word).ok()?;
        let (address, object) = self.int_of(&value, "a link").ok()?;
        let target = Ptr { address: address as u64, object };
        let known = object.or_else(|| self.memory.find(target.address))?;
        self.memory.object(known)?;
        (!target.is_null()).then_some(Ptr { object: Some(known), ..target })
    }
}

/// Offsets of the members of the parameter's structure that point to the same structure.
fn links(program: &heapwise_ir::Program, func: FuncId) -> Option<Vec<u64>> {
    let Type::Function { params, .. } = program.types.get(program.functions.get(func)?.ty) else {
        return None;
    };
    let [param] = &params[..] else { return None };
    let record = program.types.pointee(*param)?;
    let Type::Record(r) = program.types.get(record) else { return None };
    let fields = &program.types.records.get(*r)?.fields;
    let own = |ty: heapwise_ir::Ty| program.types.pointee(ty) == Some(record);
    Some(fields.iter().filter(|f| own(f.ty)).map(|f| f.offset).collect())
}
