package dev.keelson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The violations that {@link ArchitectureTest} knows of, {@code rule: what}, a line each. A
 * violation that is not listed fails, and so does a line that is no violation any more: the list
 * can only get shorter.
 */
final class KnownViolations {

  private static final Path FILE =
      Path.of("src", "test", "resources", "architecture", "known-violations.txt");

  private KnownViolations() {}

  /** Compares what a rule found with its lines in the list. */
  static void check(String rule, Set<String> found) throws IOException {
    String prefix = rule + ": ";
    Set<String> unlisted = found.stream().map(prefix::concat).collect(Collectors.toSet());
    Set<String> fixed = new TreeSet<>();
    try (Stream<String> lines = Files.lines(FILE)) {
      lines.filter(line -> line.startsWith(prefix)).forEach(fixed::add);
    }
    Set<String> both = new TreeSet<>(fixed);
    both.retainAll(unlisted);
    unlisted.removeAll(both);
    fixed.removeAll(both);

    assertThat(new TreeSet<>(unlisted)).as("violations").isEmpty();
    assertThat(fixed).as("no violations any more: remove the lines from %s", FILE).isEmpty();
  }
}
