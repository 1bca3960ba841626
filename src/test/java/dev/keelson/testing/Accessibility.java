package dev.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks a page by axe-core, which npm installs with the console, against the rules of WCAG 2.2 at
 * the levels A and AA.
 */
public final class Accessibility {

  private static final Path AXE =
      Path.of("src", "main", "console", "node_modules", "axe-core", "axe.min.js");

  private Accessibility() {}

  /** Fails with every violation on the page that is shown. */
  public static void assertClean(Browser browser, String page) {
    if (!Boolean.TRUE.equals(browser.evaluate("typeof axe === 'object'"))) {
      browser.run(source());
    }
    Object violations =
        browser.evaluateLater(
            """
            axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
              .then(found => found.violations.map(each => each.id + ': ' + each.help + ' at '
                + each.nodes.map(node => node.target.join(' ') + ' (' + (node.any[0]?.message ?? '') + ')').slice(0, 4).join('; ')).join('\\n'))\
            """);
    assertThat(violations).as(page).isEqualTo("");
  }

  private static String source() {
    try {
      return Files.readString(AXE);
    } catch (IOException e) {
      throw new UncheckedIOException(AXE + " is missing: bin/build-console installs it", e);
    }
  }
}
