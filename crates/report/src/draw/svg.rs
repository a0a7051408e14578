//! A picture as SVG text: boxes with named parts, variables as labels above them, arrows from parts; thick ones stand for
//! any number of elements, dashed ones for what all elements share. Colours follow the reader's light or dark setting.

use super::layout::{LABEL, Layout, PAD, ROW, content_text, width_of};
use super::{Arrow, Content, Figure, Kind, Line, Picture};
use std::fmt::Write;

/// Colours, light and dark, and fonts. Pages that hold drawings may set the same variables.
pub const STYLE: &str = "\
svg.hw{--bg:#ffffff;--fg:#1f2328;--line:#57606a;--heap:#f6f8fa;--var:#fff8c5;--struct:#ddf4ff;--edge:#0969da;--freed:#ffebe9;--bad:#cf222e;--mute:#6e7781;--label:#8250df}\
@media (prefers-color-scheme:dark){svg.hw{--bg:#0d1117;--fg:#e6edf3;--line:#8b949e;--heap:#161b22;--var:#2d2a12;--struct:#0c2d48;--edge:#58a6ff;--freed:#3d1418;--bad:#ff7b72;--mute:#8b949e;--label:#d2a8ff}}\
svg.hw text{font:12px ui-monospace,\"DejaVu Sans Mono\",Menlo,Consolas,monospace;fill:var(--fg)}\
svg.hw text.on{paint-order:stroke;stroke:var(--bg);stroke-width:4px;stroke-linejoin:round}svg.hw .t{font-weight:bold}svg.hw .m{fill:var(--mute)}svg.hw .bad{fill:var(--bad)}\
svg.hw rect{stroke:var(--line);fill:var(--heap)}svg.hw .variable rect,svg.hw .outer rect{fill:var(--var)}\
svg.hw .structure rect{fill:var(--struct);stroke:var(--edge)}svg.hw .freed rect{fill:var(--freed);stroke:var(--bad);stroke-dasharray:5 3}\
svg.hw .outer rect{stroke-dasharray:2 2}svg.hw .unknown rect{stroke-dasharray:2 3;rx:10}svg.hw .null rect,svg.hw .values rect{stroke:none;fill:none}\
svg.hw rect.label{fill:var(--label);stroke:none;rx:4}svg.hw text.label{fill:var(--bg);font-weight:bold}\
svg.hw path{fill:none;stroke:var(--line);stroke-width:1.3}svg.hw path.thick{stroke:var(--edge);stroke-width:4}svg.hw path.dashed{stroke-dasharray:5 4;stroke:var(--mute)}\
svg.hw path.tip{fill:var(--line);stroke:none}svg.hw path.tip.thick{fill:var(--edge)}svg.hw line{stroke:var(--line);stroke-width:.6}svg.hw .back{fill:var(--bg);stroke:none}";

/// The text of a drawing.
pub fn text(picture: &Picture, layout: &Layout) -> String {
    written(picture, layout, &format!("<style>{STYLE}</style>"))
}

/// The text of a drawing for a page that has the style already.
pub fn bare(picture: &Picture, layout: &Layout) -> String {
    written(picture, layout, "")
}

fn written(picture: &Picture, layout: &Layout, style: &str) -> String {
    let (w, h) = (layout.width.ceil(), layout.height.ceil());
    let mut out = format!(
        "<svg class=\"hw\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\">\
         <title>{}</title>{style}<rect class=\"back\" width=\"{w}\" height=\"{h}\"/>",
        escaped(&picture.caption)
    );
    for (figure, at) in picture.boxes.iter().zip(&layout.boxes) {
        a_box(&mut out, figure, *at);
    }
    for (k, arrow) in picture.arrows.iter().enumerate() {
        let bends = layout.bends.get(k).map(Vec::as_slice).unwrap_or_default();
        an_arrow(&mut out, picture, layout, arrow, bends);
    }
    // Labels come last, so that no arrow crosses them.
    for (arrow, at) in picture.arrows.iter().zip(&layout.labels) {
        if let Some((x, y)) = at {
            let text = escaped(&arrow.label);
            let _ = write!(
                out,
                "<text class=\"m on\" text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>",
                y - 3.0
            );
        }
    }
    out.push_str("</svg>");
    out
}

/// Several pictures, one below the other.
pub fn sheet(pictures: &[Picture]) -> String {
    if let [one] = pictures {
        return text(one, &super::layout::place(one));
    }
    let (mut w, mut h) = (0.0f64, 0.0f64);
    let mut inner = String::new();
    for (i, picture) in pictures.iter().enumerate() {
        let layout = super::layout::place(picture);
        let title = format!("case {} of {}", i + 1, pictures.len());
        let _ = write!(inner, "<text class=\"t\" x=\"14\" y=\"{:.1}\">{title}</text>", h + 20.0);
        let one = text(picture, &layout);
        let _ = write!(inner, "<g transform=\"translate(0 {:.1})\">{one}</g>", h + 24.0);
        w = w.max(layout.width);
        h += layout.height.ceil() + 34.0;
    }
    let (w, h) = (w.max(140.0).ceil(), h.ceil());
    format!(
        "<svg class=\"hw\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\
         <style>{STYLE}</style><rect class=\"back\" width=\"{w}\" height=\"{h}\"/>{inner}</svg>"
    )
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Heap => "heap",
        Kind::Variable => "variable",
        Kind::Outer => "outer",
        Kind::Structure => "structure",
        Kind::Null => "null",
        Kind::Unknown => "unknown",
        Kind::Freed => "freed",
        Kind::Values => "values",
    }
}

/// Left, top, right and bottom of the frame of a box, without labels and shadows.
fn frame(figure: &Figure, [x, y, w, h]: [f64; 4]) -> [f64; 4] {
    let top = if figure.labels.is_empty() { y } else { y + LABEL };
    let extra = if figure.kind == Kind::Structure { 8.0 } else { 0.0 };
    [x, top, x + w - extra, y + h - extra]
}

fn a_box(out: &mut String, figure: &Figure, at: [f64; 4]) {
    let [left, top, right, bottom] = frame(figure, at);
    let _ = write!(out, "<g class=\"{}\">", class(figure.kind));
    let mut x = left;
    for label in &figure.labels {
        let w = width_of(label) + PAD;
        let _ = write!(
            out,
            "<rect class=\"label\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"18\"/><text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            top - 21.0,
            x + PAD / 2.0,
            top - 8.0,
            escaped(label)
        );
        x += w + PAD;
    }
    let (w, h) = (right - left, bottom - top);
    let mut frame = |d: f64| {
        let _ = write!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"4\"/>",
            left + d,
            top + d
        );
    };
    // A structure is a stack of elements.
    if figure.kind == Kind::Structure {
        frame(8.0);
        frame(4.0);
    }
    frame(0.0);
    let mut y = top + 15.0;
    for line in &figure.title {
        let tone = if figure.kind == Kind::Freed { "t bad" } else { "t" };
        let _ = write!(
            out,
            "<text class=\"{tone}\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            left + PAD,
            escaped(line)
        );
        y += ROW;
    }
    for row in &figure.rows {
        if y > top + 15.0 && figure.kind != Kind::Values {
            let at = y - 14.0;
            let _ = write!(out, "<line x1=\"{left:.1}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\"/>");
        }
        let tone = match row.content {
            Content::Uninitialised => "bad",
            Content::Unknown => "m",
            _ => "",
        };
        let _ = write!(
            out,
            "<text class=\"m\" x=\"{:.1}\" y=\"{y:.1}\">{}</text><text class=\"{tone}\" text-anchor=\"end\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            left + PAD,
            escaped(&row.name),
            right - PAD,
            escaped(content_text(&row.content))
        );
        y += ROW;
    }
    out.push_str("</g>");
}

fn an_arrow(out: &mut String, picture: &Picture, layout: &Layout, arrow: &Arrow, bends: &[(f64, f64)]) {
    let ends = (picture.boxes.get(arrow.from), picture.boxes.get(arrow.to));
    let (Some(from), Some(to)) = ends else { return };
    let (Some(a), Some(b)) = (layout.boxes.get(arrow.from), layout.boxes.get(arrow.to)) else { return };
    let ([fl, ft, fr, fb], [tl, tt, tr, tb]) = (frame(from, *a), frame(to, *b));
    let start_y = match arrow.row {
        Some(r) => ft + 11.0 + (from.title.len() + r) as f64 * ROW,
        None => (ft + fb) / 2.0,
    };
    // Short boxes are met in the middle, tall ones at their title.
    let end_y = if tb - tt <= ROW + 6.0 { (tt + tb) / 2.0 } else { tt + 11.0 };
    let class = match arrow.line {
        Line::Plain => "plain",
        Line::Thick => "thick",
        Line::Dashed => "dashed",
    };
    let path = if arrow.from == arrow.to {
        let x = fr;
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{x:.1} {start_y:.1}C{:.1} {start_y:.1} {:.1} {end_y:.1} {:.1} {end_y:.1}\"/>",
            x + 24.0,
            x + 24.0,
            x + 5.0
        );
        (x + 5.0, end_y, -1.0)
    } else {
        let first = bends.first().copied().unwrap_or(((tl + tr) / 2.0, end_y));
        let last = bends.last().copied().unwrap_or(((fl + fr) / 2.0, start_y));
        let start = (if first.0 >= (fl + fr) / 2.0 { fr } else { fl }, start_y);
        let forward = last.0 <= (tl + tr) / 2.0;
        let gap = if arrow.line == Line::Thick { 9.0 } else { 6.0 };
        let end = (if forward { tl - gap } else { tr + gap }, end_y);
        let mut d = format!("M{:.1} {:.1}", start.0, start.1);
        let mut at = start;
        for p in bends.iter().copied().chain([end]) {
            let middle = (at.0 + p.0) / 2.0;
            let _ = write!(d, "C{middle:.1} {:.1} {middle:.1} {:.1} {:.1} {:.1}", at.1, p.1, p.0, p.1);
            at = p;
        }
        let _ = write!(out, "<path class=\"{class}\" d=\"{d}\"/>");
        (end.0, end.1, if forward { 1.0 } else { -1.0 })
    };
    let (x, y, way) = path;
    let size = if arrow.line == Line::Thick { 9.0 } else { 6.0 };
    let _ = write!(
        out,
        "<path class=\"tip {class}\" d=\"M{:.1} {y:.1}L{x:.1} {:.1}L{x:.1} {:.1}Z\"/>",
        x + way * size,
        y - size * 0.6,
        y + size * 0.6
    );
}

/// Text that may hold anything.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
