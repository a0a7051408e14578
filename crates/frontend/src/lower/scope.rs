//! What is live where, and what a jump must begin and end.
//!
//! The locals live at a point form a path in a tree: each declaration adds a node below what was live before
//! it. A jump from one point to another ends the locals between its source and the closest common ancestor,
//! newest first, then begins those between the ancestor and its target. This covers all cases at once: leaving
//! scopes, entering scopes past declarations, and going back over the declaration of a variable-length array (which
//! ends it; passing the declaration again begins it anew). Other variables whose declaration follows a label are nodes
//! from the start of their block on, so that a jump inside of the block does not end them (C11 §6.2.4p6).
//!
//! Computed gotos: the edges from several sources to one label share the label's block, so work that depends on
//! both ends cannot stand on the edge. Each source ends what is live at no label and begins everything that is
//! live at some label but not here; each label then ends what is not live there.

use super::{Lowering, Misplaced};
use crate::hir::LabelId;
use heapwise_ir::{BlockId, LocalId, Span, StatementKind, TerminatorKind};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The locals live at a point: a node of [`Scopes`], or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scope(Option<u32>);

impl Scope {
    /// Nothing but the parameters.
    pub(super) const ROOT: Scope = Scope(None);
}

#[derive(Clone, Copy)]
struct Node {
    local: LocalId,
    /// Whether the local points to the storage of a variable-length array.
    vla: bool,
    parent: Scope,
    depth: u32,
}

/// The tree of declarations.
#[derive(Default)]
pub(super) struct Scopes {
    nodes: Vec<Node>,
}

impl Scopes {
    fn node(&self, scope: Scope) -> Option<&Node> {
        self.nodes.get(scope.0? as usize)
    }

    /// `scope` with one more local.
    pub(super) fn push(&mut self, scope: Scope, local: LocalId, vla: bool) -> Scope {
        let depth = self.node(scope).map_or(0, |n| n.depth) + 1;
        self.nodes.push(Node { local, vla, parent: scope, depth });
        Scope(Some(self.nodes.len() as u32 - 1))
    }

    fn path(&self, scope: Scope) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.node(scope), |n| self.node(n.parent))
    }

    /// Whether `local` was declared between `outer` and `inner`.
    pub(super) fn declared_between(&self, outer: Scope, inner: Scope, local: LocalId) -> bool {
        let outer_depth = self.node(outer).map_or(0, |n| n.depth);
        self.path(inner).take_while(|n| n.depth > outer_depth).any(|n| n.local == local)
    }

    /// What a jump between two points ends and begins.
    fn transition(&self, from: Scope, to: Scope) -> Changes {
        let (mut a, mut b) = (from, to);
        let mut out = Changes::new();
        let mut begin = Changes::new();
        let depth = |s: Scope| self.node(s).map_or(0, |n| n.depth);
        while a != b {
            if depth(a) >= depth(b) {
                let Some(node) = self.node(a) else { break };
                end(node, &mut out);
                a = node.parent;
            } else {
                let Some(node) = self.node(b) else { break };
                begin.push(Change::Begin(node.local));
                b = node.parent;
            }
        }
        out.extend(begin.into_iter().rev());
        out
    }
}

/// What happens to a local at a jump. A statement is a large thing to keep in a list for this.
#[derive(Clone, Copy)]
enum Change {
    Begin(LocalId),
    Free(LocalId),
    End(LocalId),
}

type Changes = SmallVec<[Change; 8]>;

fn end(node: &Node, out: &mut Changes) {
    if node.vla {
        out.push(Change::Free(node.local));
    }
    out.push(Change::End(node.local));
}

impl Lowering<'_> {
    /// Begins the life of a local here.
    pub(super) fn declare(&mut self, local: LocalId, vla: bool, span: Span) {
        self.emit(StatementKind::StorageLive(local), span);
        self.scope = self.scopes.push(self.scope, local, vla);
    }

    /// Ends, in `block`, what a jump from there to a point with `to` leaves, and begins what it enters.
    pub(super) fn emit_transition(&mut self, block: BlockId, from: Scope, to: Scope, span: Span) {
        if from != to {
            let changes = self.scopes.transition(from, to);
            self.emit_changes(block, changes, span);
        }
    }

    fn emit_changes(&mut self, block: BlockId, changes: Changes, span: Span) {
        for change in changes {
            let kind = match change {
                Change::Begin(local) => StatementKind::StorageLive(local),
                Change::Free(local) => StatementKind::ScopeFree(local),
                Change::End(local) => StatementKind::StorageDead(local),
            };
            self.emit_in(block, kind, span);
        }
    }

    /// Leaves the scopes opened since `outer`.
    pub(super) fn close_scope(&mut self, outer: Scope, span: Span) {
        self.emit_transition(self.current, self.scope, outer, span);
        self.scope = outer;
    }

    /// Jumps from the current point to a block at whose start `scope` is live.
    pub(super) fn jump(&mut self, target: BlockId, scope: Scope, span: Span) {
        self.emit_transition(self.current, self.scope, scope, span);
        self.terminate(TerminatorKind::Goto(target), span);
    }

    /// The block to name in a terminator so that control gets from a point with `from` to `target`.
    pub(super) fn edge(&mut self, from: Scope, target: BlockId, to: Scope, span: Span) -> BlockId {
        if from == to {
            return target;
        }
        let block = self.new_block();
        self.emit_transition(block, from, to, span);
        self.terminate_block(block, TerminatorKind::Goto(target), span);
        block
    }

    /// Gives every `goto` its terminator.
    pub(super) fn resolve_gotos(&mut self) {
        for goto in std::mem::take(&mut self.gotos) {
            match self.label_targets.get(goto.label).copied().flatten() {
                Some((target, scope)) => {
                    self.emit_transition(goto.from, goto.scope, scope, goto.span);
                    self.terminate_block(goto.from, TerminatorKind::Goto(target), goto.span);
                }
                None => self.misplaced("`goto` to a label that is not defined", goto.span),
            }
        }
    }

    /// Gives every computed `goto` its terminator, and every label whose address is taken its entry block.
    pub(super) fn resolve_computed_gotos(&mut self) {
        let mut entries: Vec<(LabelId, BlockId)> = self.label_entries.iter().map(|(&l, &b)| (l, b)).collect();
        entries.sort_unstable();
        // Each local once, outermost first within its path.
        let mut live_at_labels: Vec<Node> = Vec::new();
        let mut seen = FxHashSet::default();
        for &(label, _) in &entries {
            let Some((_, scope)) = self.label_targets.get(label).copied().flatten() else {
                self.misplaced("address of a label that is not defined", Span::default());
                return;
            };
            let mut path: Vec<Node> =
                self.scopes.path(scope).filter(|n| seen.insert(n.local)).copied().collect();
            path.reverse();
            live_at_labels.append(&mut path);
        }
        for goto in std::mem::take(&mut self.computed_gotos) {
            let here: FxHashSet<LocalId> = self.scopes.path(goto.scope).map(|n| n.local).collect();
            let mut work = Changes::new();
            self.scopes.path(goto.scope).filter(|n| !seen.contains(&n.local)).for_each(|n| end(n, &mut work));
            let missing = live_at_labels.iter().filter(|n| !here.contains(&n.local));
            work.extend(missing.map(|n| Change::Begin(n.local)));
            self.emit_changes(goto.from, work, goto.span);
            let targets = entries.iter().map(|&(_, block)| block).collect();
            let kind = TerminatorKind::GotoAddress { address: goto.address, targets };
            self.terminate_block(goto.from, kind, goto.span);
        }
        for (label, entry) in entries {
            let Some((target, scope)) = self.label_targets.get(label).copied().flatten() else { continue };
            let here: FxHashSet<LocalId> = self.scopes.path(scope).map(|n| n.local).collect();
            let mut work = Changes::new();
            let extra = live_at_labels.iter().rev().filter(|n| !here.contains(&n.local));
            extra.for_each(|n| end(n, &mut work));
            self.emit_changes(entry, work, Span::default());
            self.terminate_block(entry, TerminatorKind::Goto(target), Span::default());
        }
    }

    /// Notes a jump that has no target; the function will not be analysed.
    pub(super) fn misplaced(&mut self, message: &'static str, span: Span) {
        self.problem.get_or_insert(Misplaced { message, span });
    }
}
