//! Which pane is where, for a terminal of a size. Painter and mouse ask the same function.
//! Must not draw.

use crate::app::model::Size;

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rect {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

/// The panes of a review's screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Panes {
    pub header: Rect,
    pub files: Option<Rect>,
    pub main: Rect,
    /// Beside the main pane, or over it when [`Panes::overlay`] holds.
    pub inspector: Option<Rect>,
    pub overlay: bool,
    pub strip: Option<Rect>,
    pub footer: Rect,
}

/// What a person shows and hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    pub files: bool,
    pub inspector: bool,
    /// The inspector takes the whole screen.
    pub full: bool,
}

/// Narrower or lower than this shows one line that says so.
pub const SMALLEST: Size = Size { width: 40, height: 10 };
/// From this width on the inspector stands beside the diff.
const WIDE: u16 = 120;
/// Below this width the file list hides.
const MEDIUM: u16 = 84;

impl Size {
    /// Whether anything but a word about the size fits.
    pub fn too_small(self) -> bool {
        self.width < SMALLEST.width || self.height < SMALLEST.height
    }

    /// Whether the inspector stands beside the diff.
    pub fn is_wide(self) -> bool {
        self.width >= WIDE
    }

    /// Whether the file list may show.
    pub fn has_list(self) -> bool {
        self.width >= MEDIUM
    }
}

impl Rect {
    pub fn contains(&self, column: u16, row: u16) -> bool {
        (self.x..self.x + self.width).contains(&column)
            && (self.y..self.y + self.height).contains(&row)
    }

    /// The inside of a bordered pane.
    #[must_use]
    pub fn inner(&self) -> Self {
        Self {
            x: self.x + 1,
            y: self.y + 1,
            width: self.width.saturating_sub(2),
            height: self.height.saturating_sub(2),
        }
    }
}

/// Header, body, strip and footer of any screen.
pub fn frame(size: Size) -> (Rect, Rect, Option<Rect>, Rect) {
    let row = |y, height| Rect { x: 0, y, width: size.width, height };
    let strip = size.height >= 14;
    let below = 1 + u16::from(strip);
    let body = row(1.min(size.height), size.height.saturating_sub(1 + below));
    let strip = strip.then(|| row(size.height - 2, 1));
    let footer = row(size.height.saturating_sub(1), 1.min(size.height));
    (row(0, 1.min(size.height)), body, strip, footer)
}

/// So many hundredths of a width; a terminal may say any number.
fn share(width: u16, hundredths: u16) -> u16 {
    (u32::from(width) * u32::from(hundredths) / 100) as u16
}

/// The panes of the diff screen.
pub fn panes(size: Size, wish: Wish) -> Panes {
    let (header, body, strip, footer) = frame(size);
    let mut panes = Panes { header, main: body, strip, footer, ..Panes::default() };
    if wish.full && wish.inspector {
        panes.inspector = Some(body);
        panes.overlay = true;
        return panes;
    }
    if wish.files && size.has_list() {
        let width = (size.width / 5).clamp(24, 38);
        panes.files = Some(Rect { width, ..body });
        panes.main.x += width;
        panes.main.width -= width;
    }
    if wish.inspector && size.is_wide() {
        let width = share(size.width, 27).clamp(36, 64);
        panes.main.width -= width;
        panes.inspector = Some(Rect { x: panes.main.x + panes.main.width, width, ..body });
    } else if wish.inspector {
        let width = share(size.width, 70).max(40).min(size.width);
        panes.inspector = Some(Rect { x: size.width - width, width, ..body });
        panes.overlay = true;
    }
    panes
}

#[cfg(test)]
mod tests {
    use crate::app::geometry::{Size, Wish, panes};

    #[test]
    fn any_size_a_terminal_may_say_has_panes_inside_it() {
        let widths = [0, 1, 2, 14, 40, 59, 84, 120, 300, 2_000, 6_554, u16::MAX];
        for (width, height) in widths.iter().flat_map(|it| widths.map(|other| (*it, other))) {
            for bits in 0..8_u8 {
                let [files, inspector, full] = [1, 2, 4].map(|it| bits & it != 0);
                let it = panes(Size { width, height }, Wish { files, inspector, full });
                for pane in [Some(it.header), Some(it.main), it.files, it.inspector, it.strip] {
                    let Some(pane) = pane else { continue };
                    let (right, below) =
                        (pane.x.checked_add(pane.width), pane.y.checked_add(pane.height));
                    assert!(right.is_some_and(|it| it <= width), "{pane:?} in {width}x{height}");
                    assert!(below.is_some_and(|it| it <= height), "{pane:?} in {width}x{height}");
                }
            }
        }
    }
}
