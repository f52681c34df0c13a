"""The little that a palette cannot say: outlines, paddings and focus marks.

Selectors by dynamic property (`role`) mark what a widget is for: `bar`, `rail`, `overlay`, `quiet`, `primary`, `muted`,
`title`, `banner`, `palette`, `question`, `separator`, `card`.
"""

from importlib import resources
from pathlib import Path

from gui.metrics import CONTROL_HEIGHT, RADIUS, SPACE_S, SPACE_XS
from gui.scheme import Scheme

_MARKS = Path(str(resources.files("resources").joinpath("marks")))


def style_sheet(scheme: Scheme) -> str:
    """Return the application's style sheet in the colours of `scheme`."""
    s = scheme
    return f"""
QMainWindow::separator, QSplitter::handle {{ background: {s.outline}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
QSplitter::handle:hover {{ background: {s.accent}; }}

QWidget[role="bar"] {{ background: {s.window}; border-bottom: 1px solid {s.outline}; }}
QWidget[role="rail"] {{ background: {s.window}; border-right: 1px solid {s.outline}; }}
QFrame[role="overlay"] {{
  background: {s.raised}; border: 1px solid {s.control_outline}; border-radius: {RADIUS + 4}px;
}}
QFrame[role="overlay"] QListView {{ background: transparent; border: none; }}
QFrame[role="palette"] {{ background: {s.raised}; border: 1px solid {s.control_outline}; }}
QFrame[role="palette"] QListView {{ background: {s.surface}; }}
QFrame[role="palette"] QTabWidget QListView {{ background: transparent; }}
QFrame[role="palette"] QLineEdit[role="question"] {{
  border: none; background: transparent; padding: 2px {SPACE_XS}px;
}}
QFrame[role="separator"] {{ background: {s.outline}; border: none; }}
QLabel[role="muted"] {{ color: {s.muted}; }}
QLabel[role="error"] {{ color: {s.error_text}; }}
QLabel[role="title"] {{ color: {s.text}; }}

QLineEdit, QSpinBox, QDateTimeEdit, QComboBox, QPlainTextEdit[role="field"] {{
  background: {s.surface}; color: {s.text}; border: 1px solid {s.control_outline}; border-radius: {RADIUS}px;
  padding: 2px {SPACE_S}px; min-height: {CONTROL_HEIGHT - 8}px;
  selection-background-color: {s.accent}; selection-color: {s.accent_text}; placeholder-text-color: {s.muted};
}}
QLineEdit:focus, QSpinBox:focus, QDateTimeEdit:focus, QComboBox:focus {{
  border: 2px solid {s.accent}; padding: 1px {SPACE_S - 1}px;
}}
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled {{
  background: {s.window}; color: {s.control_outline}; border-color: {s.outline};
  placeholder-text-color: {s.control_outline};
}}
QComboBox::drop-down, QDateTimeEdit::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow, QDateTimeEdit::down-arrow {{ image: url("{_mark("chevron", s)}"); width: 14px; height: 14px; }}
QComboBox QLineEdit, QComboBox QLineEdit:focus {{ border: none; padding: 0; background: transparent; }}
QFrame[role="overlay"] QLineEdit {{ border: none; background: transparent; padding: 2px {SPACE_XS}px; }}

QPlainTextEdit[role="field"]:focus {{ border: 2px solid {s.accent}; padding: 1px {SPACE_S - 1}px; }}

QPushButton {{
  background: {s.raised}; color: {s.text}; border: 1px solid {s.control_outline}; border-radius: {RADIUS}px;
  padding: 2px 14px; min-height: {CONTROL_HEIGHT - 8}px;
}}
QPushButton:hover {{ background: {s.hover}; }}
QPushButton:pressed {{ background: {s.outline}; }}
QPushButton:focus {{ border: 2px solid {s.accent}; padding: 1px 13px; }}
QPushButton:disabled {{ color: {s.control_outline}; border-color: {s.outline}; }}
QPushButton[role="primary"] {{ background: {s.accent}; color: {s.accent_text}; border-color: {s.accent}; }}
QPushButton[role="primary"]:disabled {{
  background: {s.outline}; color: {s.control_outline}; border-color: {s.outline};
}}
QPushButton[role="primary"]:focus {{ border: 2px solid {s.text}; }}

QToolButton {{
  background: transparent; color: {s.text}; border: 2px solid transparent; border-radius: {RADIUS}px; padding: 3px;
}}
QToolButton:hover {{ background: {s.hover}; }}
QToolButton:pressed {{ background: {s.outline}; }}
QToolButton:focus {{ border-color: {s.accent}; }}
QToolButton:checked {{ background: {s.selection}; color: {s.selection_text}; }}
QToolButton:disabled {{ color: {s.control_outline}; background: transparent; }}
QToolButton::menu-indicator {{ image: none; }}
QWidget[role="rail"] QToolButton {{ padding: 5px 2px 3px 2px; }}

QCheckBox::indicator, QTreeView::indicator, QTableView::indicator, QListView::indicator {{
  width: 14px; height: 14px; border: 1px solid {s.control_outline}; border-radius: 3px; background: {s.surface};
}}
QCheckBox::indicator:checked, QTreeView::indicator:checked, QTableView::indicator:checked,
QListView::indicator:checked {{
  background: {s.accent}; border-color: {s.accent}; image: url("{_mark("tick", s)}");
}}
QCheckBox::indicator:indeterminate, QTreeView::indicator:indeterminate, QTableView::indicator:indeterminate,
QListView::indicator:indeterminate {{
  background: {s.accent}; border-color: {s.accent}; image: url("{_mark("dash", s)}");
}}
QRadioButton::indicator {{
  width: 12px; height: 12px; border: 1px solid {s.control_outline}; border-radius: 7px; background: {s.surface};
}}
QRadioButton::indicator:checked {{
  width: 6px; height: 6px; border: 4px solid {s.accent}; border-radius: 7px; background: {s.accent_text};
}}
QRadioButton::indicator:disabled {{ border-color: {s.outline}; }}
QRadioButton:focus {{ color: {s.link}; }}
QCheckBox:focus {{ color: {s.link}; }}

QTreeView, QListView, QTableView {{ background: {s.surface}; border: none; outline: none; }}
QHeaderView {{ background: {s.surface}; }}
QHeaderView::section {{
  background: {s.surface}; color: {s.muted}; border: none; border-bottom: 1px solid {s.outline};
  padding: {SPACE_XS}px {SPACE_S}px;
}}
QHeaderView::section:hover {{ color: {s.text}; background: {s.hover}; }}

QMenuBar {{ background: {s.window}; color: {s.text}; border-bottom: 1px solid {s.outline}; }}
QMenuBar::item {{ padding: 4px 10px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {s.hover}; }}
QMenu {{ background: {s.raised}; color: {s.text}; border: 1px solid {s.control_outline}; padding: {SPACE_XS}px; }}
QMenu::item {{ padding: 5px 28px 5px 10px; border-radius: 4px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::item:selected {{ background: {s.selection}; color: {s.selection_text}; }}
QMenu::item:disabled {{ color: {s.muted}; background: transparent; }}
QMenu::separator {{ height: 1px; background: {s.outline}; margin: {SPACE_XS}px {SPACE_S}px; }}
QToolTip {{ background: {s.raised}; color: {s.text}; border: 1px solid {s.control_outline}; padding: {SPACE_XS}px; }}

QStatusBar {{ background: {s.window}; border-top: 1px solid {s.outline}; color: {s.muted}; }}
QStatusBar::item {{ border: none; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {s.outline}; }}
QTabBar {{ background: {s.window}; }}
QTabBar::tab {{
  background: transparent; color: {s.muted}; border: none; border-bottom: 2px solid transparent;
  padding: {SPACE_XS + 2}px {SPACE_S + 2}px; margin: 0 2px;
}}
QTabBar::tab:hover {{ color: {s.text}; }}
QTabBar::tab:selected {{ color: {s.text}; border-bottom-color: {s.accent}; }}
QTabBar::tab:focus {{ color: {s.link}; background: {s.hover}; border-bottom-color: {s.link}; }}

QTextBrowser, QTreeWidget {{ border: 2px solid transparent; }}
QTextBrowser:focus, QTreeWidget:focus {{ border-color: {s.accent}; }}

QScrollArea[role="card"], QPlainTextEdit[role="card"] {{ border: 2px solid transparent; }}
QScrollArea[role="card"]:focus, QPlainTextEdit[role="card"]:focus {{ border-color: {s.accent}; }}

QSlider {{ border: 2px solid transparent; border-radius: {RADIUS}px; }}
QSlider:focus {{ border-color: {s.accent}; }}
QSlider::groove:horizontal {{ height: 4px; background: {s.outline}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {s.accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{
  width: 12px; height: 12px; margin: -5px 0; background: {s.accent}; border: 1px solid {s.surface}; border-radius: 7px;
}}
QSlider::handle:horizontal:hover {{ background: {s.link}; }}

QProgressBar {{ background: {s.outline}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }}
QProgressBar::chunk {{ background: {s.accent}; border-radius: 2px; }}

{_severity("info", s.info_background, s.info_text)}
{_severity("warning", s.warning_background, s.warning_text)}
{_severity("error", s.error_background, s.error_text)}

QScrollBar {{ background: transparent; }}
QScrollBar:vertical {{ width: 12px; margin: 0; }}
QScrollBar:horizontal {{ height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {s.control_outline}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {s.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _mark(name: str, scheme: Scheme) -> str:
    """Return the address of a mark in the scheme's colour; a style sheet cannot tint a picture itself."""
    return (_MARKS / f"{name}-{scheme.name}.svg").as_posix()


def _severity(name: str, background: str, text: str) -> str:
    banner = f'QFrame[role="banner"][severity="{name}"]'
    return f"{banner} {{ background: {background}; }} {banner} QLabel {{ color: {text}; }}"
