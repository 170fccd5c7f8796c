/// What a run comes to: figures, the verdict in one line, the page.
///
/// Main types: [Totals], [Verdict], [HtmlReport]. They read the history that the run has written,
/// so that an old one can be judged again.
@NullMarked
package dev.ottla.chaos.report;

import org.jspecify.annotations.NullMarked;
