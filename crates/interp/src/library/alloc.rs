//! Allocation and release of heap blocks.

use super::{Args, Ptr};
use crate::error::{ErrorKind, Res, fault, object_fault};
use crate::machine::Machine;
use crate::object::{Life, Origin};
use crate::value::{Chunk, Value};
use heapwise_ir::library::LibFn;

const ENOMEM: i128 = 12;

impl Machine<'_, '_> {
    pub(super) fn allocation(&mut self, model: LibFn, args: &Args) -> Res<Value> {
        match model {
            LibFn::Malloc => {
                let size = self.size_arg(args, 0)?;
                self.new_block(size, 16, false)
            }
            LibFn::AlignedAlloc => {
                let (align, size) = (self.size_arg(args, 0)?, self.size_arg(args, 1)?);
                self.new_block(size, align, false)
            }
            LibFn::Calloc => {
                let size = self.size_arg(args, 0)?.saturating_mul(self.size_arg(args, 1)?);
                self.new_block(size, 16, true)
            }
            LibFn::Realloc => {
                let (old, size) = (self.ptr_arg(args, 0)?, self.size_arg(args, 1)?);
                self.resize_block(old, size)
            }
            LibFn::Reallocarray => {
                let size = self.size_arg(args, 1)?.saturating_mul(self.size_arg(args, 2)?);
                let old = self.ptr_arg(args, 0)?;
                self.resize_block(old, size)
            }
            LibFn::Free => {
                let block = self.ptr_arg(args, 0)?;
                self.release(block)?;
                Ok(Value::Undefined)
            }
            LibFn::Alloca => {
                let size = self.size_arg(args, 0)?;
                let span = self.current_span();
                self.stack_block(None, size, span)
            }
            LibFn::PosixMemalign => {
                let to = self.ptr_arg(args, 0)?;
                let (align, size) = (self.size_arg(args, 1)?, self.size_arg(args, 2)?);
                let block = self.new_block(size, align, false)?;
                if block == Value::int(0) {
                    return Ok(Value::int(ENOMEM));
                }
                let pointer = super::int_info((self.memory.word() * 8) as u16, false);
                self.store(to.address, to.object, pointer, &block)?;
                Ok(Value::int(0))
            }
            LibFn::Strdup => {
                let text = self.string_arg(args, 0)?;
                self.new_string(text)
            }
            LibFn::Strndup => {
                let limit = self.size_arg(args, 1)?;
                let text = self.string_at(self.ptr_arg(args, 0)?, limit)?;
                self.new_string(text)
            }
            _ => {
                let block = self.ptr_arg(args, 0)?;
                let size = block.object.and_then(|o| self.memory.object(o)).map_or(0, |o| o.size);
                Ok(Value::int(size.into()))
            }
        }
    }

    /// A new block, or null if no object can be that large.
    fn new_block(&mut self, size: u64, align: u64, zeroed: bool) -> Res<Value> {
        if size > self.word_mask >> 1 {
            self.set_errno(ENOMEM)?;
            return Ok(Value::int(0));
        }
        if self.options.allocations_may_fail && self.draw_choice("an allocation that fails")? {
            self.set_errno(ENOMEM)?;
            return Ok(Value::int(0));
        }
        let span = self.current_span();
        let id = self.memory.allocate_heap(size, align, zeroed, span)?;
        Ok(self.address_of(id))
    }

    /// A new block with a terminated string.
    pub(super) fn new_string(&mut self, mut text: Vec<u8>) -> Res<Value> {
        text.push(0);
        let block = self.new_block(text.len() as u64, 16, false)?;
        if let Value::Int { bits, object: object @ Some(_) } = block {
            self.write_bytes(Ptr { address: bits as u64, object }, text)?;
        }
        Ok(block)
    }

    pub(super) fn resize_block(&mut self, old: Ptr, size: u64) -> Res<Value> {
        if old.is_null() {
            return self.new_block(size, 16, false);
        }
        self.check_release(old)?;
        if size == 0 {
            self.release(old)?;
            return Ok(Value::int(0));
        }
        let old_size = old.object.and_then(|o| self.memory.object(o)).map_or(0, |o| o.size);
        let block = self.new_block(size, 16, false)?;
        let Value::Int { bits, object: Some(object) } = block else { return Ok(block) };
        let contents: Chunk = self.memory.read_chunk(old.address, old.object, old_size.min(size))?;
        self.memory.write_chunk(bits as u64, Some(object), &contents)?;
        self.release(old)?;
        Ok(block)
    }

    /// Faults unless the pointer may be given to `free`.
    fn check_release(&self, block: Ptr) -> Res<()> {
        let Some((id, object)) = block.object.and_then(|id| Some((id, self.memory.object(id)?))) else {
            return match block.object {
                Some(id) => object_fault(ErrorKind::DoubleFree, id, "the block was freed long ago"),
                None => fault(ErrorKind::InvalidFree, "free of something that is not an object"),
            };
        };
        if object.origin != Origin::Heap {
            return object_fault(ErrorKind::InvalidFree, id, "free of something that is not a heap block");
        }
        if object.life == Life::Freed {
            return object_fault(ErrorKind::DoubleFree, id, "the block is freed a second time");
        }
        let offset = block.address.wrapping_sub(object.base) as i64;
        if offset != 0 {
            let detail = format!("free of a pointer {offset} bytes into a heap block");
            return object_fault(ErrorKind::InvalidFree, id, detail);
        }
        Ok(())
    }

    fn release(&mut self, block: Ptr) -> Res<()> {
        if block.is_null() {
            return Ok(());
        }
        self.check_release(block)?;
        let span = self.current_span();
        if let Some(id) = block.object {
            self.memory.kill(id, Life::Freed, span);
        }
        Ok(())
    }
}
