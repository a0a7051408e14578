//! Random functions with every kind of jump.
//!
//! Beyond well-formedness: what is live must not depend on the path, at any point. That is what makes storage
//! statements on edges right: each local's life is decided by the point alone.

use super::builder::Builder;
use crate::hir::{Block, Expr, LabelId, Stmt, StmtKind};
use heapwise_ir::{BitSet, Body, Cfg, IndexVec, LocalId, StatementKind};

struct Generator {
    builder: Builder,
    seed: u64,
    /// Variables in scope.
    visible: Vec<LocalId>,
    labels: Vec<LabelId>,
    unplaced: Vec<LabelId>,
    loops: u32,
    next_case: Option<i128>,
    switches: u32,
}

impl Generator {
    fn random(&mut self, n: u64) -> u64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.seed >> 33) % n
    }

    fn pick(&mut self) -> LocalId {
        let i = self.random(self.visible.len() as u64);
        self.visible[i as usize]
    }

    fn expr(&mut self, depth: u32) -> Expr {
        let choice = if depth == 0 { self.random(2) } else { self.random(10) };
        match choice {
            0 => {
                let value = self.random(3);
                self.builder.num(value.into())
            }
            1 | 2 => {
                let local = self.pick();
                self.builder.get(local)
            }
            3 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                self.builder.add(a, b)
            }
            4 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                self.builder.and(a, b)
            }
            5 => {
                let (a, b, c) = (self.expr(depth - 1), self.expr(depth - 1), self.expr(depth - 1));
                self.builder.cond(a, b, c)
            }
            6 => {
                let local = self.pick();
                let value = self.expr(depth - 1);
                self.builder.assign(self.builder.at(local), value)
            }
            7 => {
                let local = self.pick();
                let postfix = self.random(2) == 0;
                let place = self.builder.at(local);
                self.builder.update(place, None, postfix)
            }
            8 => {
                let local = self.pick();
                let place = self.builder.at(local);
                let address = self.builder.addr(place);
                self.builder.call(self.builder.g, vec![address])
            }
            _ => {
                let seen = self.visible.len();
                let stmts = self.stmts(depth - 1);
                let value = self.expr(depth - 1);
                self.visible.truncate(seen);
                self.builder.stmt_expr(stmts, Some(value))
            }
        }
    }

    fn stmts(&mut self, depth: u32) -> Vec<Stmt> {
        (0..1 + self.random(5)).map(|_| self.stmt(depth)).collect()
    }

    fn block(&mut self, depth: u32) -> Block {
        let seen = self.visible.len();
        let stmts = self.stmts(depth);
        self.visible.truncate(seen);
        self.builder.block(stmts)
    }

    fn scope(&mut self, depth: u32) -> Stmt {
        let block = self.block(depth);
        self.builder.stmt(StmtKind::Block(block))
    }

    fn in_loop(&mut self, depth: u32) -> Box<Stmt> {
        self.loops += 1;
        let body = self.scope(depth);
        self.loops -= 1;
        Box::new(body)
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        let choice = if depth == 0 { self.random(9) } else { self.random(16) };
        let kind = match choice {
            0 | 1 => StmtKind::Expr(self.expr(2)),
            2 | 3 => {
                let local = self.builder.var("v", self.builder.int);
                let value = self.expr(2);
                self.visible.push(local);
                return self.builder.declare(local, Some(value));
            }
            4 => match self.unplaced.pop() {
                Some(label) => StmtKind::Label(label),
                None => StmtKind::Return(Some(self.expr(1))),
            },
            5 => {
                let i = self.random(self.labels.len() as u64);
                let label = self.labels[i as usize];
                if self.random(3) == 0 {
                    StmtKind::GotoAddress(self.builder.label_addr(label))
                } else {
                    StmtKind::Goto(label)
                }
            }
            6 if self.loops > 0 => StmtKind::Break,
            7 if self.loops > 0 => StmtKind::Continue,
            8 if self.switches > 0 => match &mut self.next_case {
                Some(case) => {
                    *case += 1;
                    StmtKind::Case { low: *case, high: *case }
                }
                None => StmtKind::Expr(self.expr(1)),
            },
            6..=8 => StmtKind::Expr(self.expr(1)),
            9 | 10 => StmtKind::Block(self.block(depth - 1)),
            11 | 12 => {
                let cond = self.expr(2);
                let then = Box::new(self.scope(depth - 1));
                let otherwise = (self.random(2) == 0).then(|| Box::new(self.scope(depth - 1)));
                StmtKind::If { cond, then, otherwise }
            }
            13 => StmtKind::While { cond: self.expr(2), body: self.in_loop(depth - 1) },
            14 => {
                let body = self.in_loop(depth - 1);
                StmtKind::DoWhile { body, cond: self.expr(2) }
            }
            _ => {
                let value = self.expr(2);
                let outer = self.next_case.replace(0);
                self.switches += 1;
                let body = Box::new(self.scope(depth - 1));
                self.switches -= 1;
                self.next_case = outer;
                StmtKind::Switch { value, body }
            }
        };
        self.builder.stmt(kind)
    }
}

fn check_lives(body: &Body) {
    let cfg = Cfg::new(body);
    assert_eq!(cfg.reverse_postorder().len(), body.blocks.len(), "a block is unreachable");
    let sorted = cfg.reverse_postorder().is_sorted();
    assert!(sorted, "blocks are not in reverse postorder");
    let mut live: IndexVec<_, Option<BitSet<LocalId>>> = IndexVec::from_elem(None, body.blocks.len());
    live[Body::ENTRY] = Some(BitSet::new(body.locals.len()));
    for &id in cfg.reverse_postorder() {
        let mut here = live[id].clone().expect("a predecessor comes first");
        for statement in &body.blocks[id].statements {
            match statement.kind {
                StatementKind::StorageLive(l) => assert!(here.insert(l), "{l:?} begins twice"),
                StatementKind::StorageDead(l) => assert!(here.remove(l), "{l:?} ends without life"),
                _ => {}
            }
        }
        for &next in cfg.successors(id) {
            match &live[next] {
                Some(known) => assert_eq!(known, &here, "{id:?} -> {next:?}"),
                None => live[next] = Some(here.clone()),
            }
        }
    }
}

#[test]
fn lives_depend_on_the_point_only() {
    for seed in 0..3000 {
        let mut builder = Builder::new();
        let x = builder.param("x", builder.int);
        let labels: Vec<LabelId> = (0..4).map(|_| builder.label("l")).collect();
        let mut g = Generator {
            builder,
            seed,
            visible: vec![x],
            unplaced: labels.clone(),
            labels,
            loops: 0,
            next_case: None,
            switches: 0,
        };
        let mut stmts = g.stmts(4);
        for label in std::mem::take(&mut g.unplaced) {
            let label = g.builder.stmt(StmtKind::Label(label));
            let more = g.stmt(2);
            stmts.extend([label, more]);
        }
        let (program, id, diagnostics) = g.builder.lower(stmts);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        check_lives(program.body(id).expect("lowered"));
    }
}
