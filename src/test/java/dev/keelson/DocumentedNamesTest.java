package dev.keelson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * That the documents name only classes, tests and flags that exist. Names count in code spans: a
 * class as {@code package.Class}, below {@code dev.keelson} or in full; a test as {@code
 * ThingTest.method}; a flag as {@code --name}, which must have a row in {@code docs/flags.md}.
 */
class DocumentedNamesTest {

  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
  private static final Pattern CLASS =
      Pattern.compile("((?:[a-z][a-z0-9]*\\.)+)([A-Z][A-Za-z0-9]*)(?:\\.\\w+)*");
  private static final Pattern TEST =
      Pattern.compile("([A-Z][A-Za-z0-9]*(?:Test|IT|Suite|Contract))(?:\\.([a-z]\\w*))?");
  private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--([a-z][a-z0-9-]*)");
  private static final Pattern ROW = Pattern.compile("^\\| `--([a-z0-9-]+)`", Pattern.MULTILINE);

  /**
   * Flags that every program has, and those of etcd, kubectl, its login plugin and native-image.
   */
  private static final Set<String> FOREIGN =
      Set.of(
          "help",
          "version",
          "max-request-bytes",
          "list",
          "dry-run",
          "exec-arg",
          "oidc-client-secret",
          "oidc-extra-scope",
          "initialize-at-run-time",
          "enable-native-access",
          "quota-backend-bytes");

  /** In CONTRIBUTING.md, for any class. */
  private static final String PLACEHOLDER = "Thing";

  private static final Map<Path, String> DOCUMENTS = new HashMap<>();

  /** The text of each source file by the name of its class, without the package. */
  private static final Map<String, List<Path>> SOURCES = new HashMap<>();

  @BeforeAll
  static void read() throws IOException {
    for (String root : List.of("docs", ".")) {
      try (Stream<Path> files = Files.walk(Path.of(root), root.equals(".") ? 1 : 3)) {
        for (Path file : files.filter(name -> name.toString().endsWith(".md")).toList()) {
          DOCUMENTS.put(file, Files.readString(file));
        }
      }
    }
    for (String root : List.of("src", "junit/src", "devservice", "examples")) {
      try (Stream<Path> files = Files.walk(Path.of(root))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(
                file ->
                    SOURCES
                        .computeIfAbsent(
                            file.getFileName().toString().replace(".java", ""),
                            unused -> new ArrayList<>())
                        .add(file));
      }
    }
    assertThat(DOCUMENTS).hasSizeGreaterThan(10);
    assertThat(SOURCES).hasSizeGreaterThan(500);
  }

  @Test
  void classes_exist() {
    Set<String> unknown = new TreeSet<>();
    Set<String> checked = new TreeSet<>();
    spans(
        CLASS,
        (file, name) -> {
          checked.add(name.group());
          String path = name.group(1).replace('.', '/') + name.group(2) + ".java";
          boolean ours =
              SOURCES.getOrDefault(name.group(2), List.of()).stream()
                  .map(source -> source.toString().replaceFirst(".*src/\\w+/java/", ""))
                  .anyMatch(source -> source.equals(path) || source.equals("dev/keelson/" + path));
          if (!ours && !isForeign(name.group(1))) {
            unknown.add(file + ": " + name.group());
          }
        });

    assertThat(checked).hasSizeGreaterThan(10);
    assertThat(unknown).isEmpty();
  }

  @Test
  void tests_exist() {
    Set<String> unknown = new TreeSet<>();
    spans(
        TEST,
        (file, name) -> {
          List<Path> sources = SOURCES.getOrDefault(name.group(1), List.of());
          String method = name.group(2);
          boolean found =
              method == null
                  ? !sources.isEmpty() || name.group(1).startsWith(PLACEHOLDER)
                  : sources.stream().anyMatch(source -> text(source).contains(method + "("));
          if (!found) {
            unknown.add(file + ": " + name.group());
          }
        });

    assertThat(unknown).isEmpty();
  }

  @Test
  void flags_exist() {
    Set<String> known = new TreeSet<>(FOREIGN);
    Matcher rows = ROW.matcher(text(Path.of("docs", "flags.md")));
    while (rows.find()) {
      known.add(rows.group(1));
    }
    Set<String> unknown = new TreeSet<>();
    DOCUMENTS.forEach(
        (file, text) -> {
          Matcher spans = SPAN.matcher(text);
          while (spans.find()) {
            Matcher flags = FLAG.matcher(spans.group(1));
            while (flags.find()) {
              String flag = flags.group(1);
              // a family of flags ends in a dash, before an asterisk
              if (flag.endsWith("-")
                  ? known.stream().noneMatch(name -> name.startsWith(flag))
                  : !known.contains(flag)) {
                unknown.add(file + ": --" + flag);
              }
            }
          }
        });

    assertThat(known).hasSizeGreaterThan(60);
    assertThat(unknown).isEmpty();
  }

  /** Packages of the JDK and of libraries, by their first part. */
  private static boolean isForeign(String packages) {
    return Set.of("java", "javax", "jakarta", "io", "org", "com", "sun")
        .contains(packages.substring(0, packages.indexOf('.')));
  }

  /** What a document says, and where. */
  private interface Finding {
    void add(Path file, Matcher name);
  }

  /** Runs an action for each code span that a pattern matches as a whole. */
  private static void spans(Pattern pattern, Finding finding) {
    DOCUMENTS.forEach(
        (file, text) -> {
          Matcher spans = SPAN.matcher(text);
          while (spans.find()) {
            Matcher name = pattern.matcher(spans.group(1));
            if (name.matches()) {
              finding.add(file, name);
            }
          }
        });
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + file, e);
    }
  }
}
