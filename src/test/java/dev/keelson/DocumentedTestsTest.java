package dev.keelson;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that pages name are there. */
class DocumentedTestsTest {

  private static final Pattern NAME =
      Pattern.compile("`(\\w+(?:IT|Test|Suite|Contract))\\.(\\w+)`");

  @ParameterizedTest
  @ValueSource(strings = {"controllers.md", "differences.md"})
  void everyTestThatAPageNames_isThere(String page) throws IOException {
    Map<String, String> sources = sources();
    Set<String> missing = new TreeSet<>();

    Matcher names = NAME.matcher(Files.readString(Path.of("docs", page)));
    int count = 0;
    while (names.find()) {
      count++;
      String source = sources.getOrDefault(names.group(1), "");
      if (!source.contains(" " + names.group(2) + "(")) {
        missing.add(names.group());
      }
    }

    assertThat(count).isPositive();
    assertThat(missing).isEmpty();
  }

  @Test
  void everyControllerOfThePage_hasATest() throws IOException {
    String page = Files.readString(Path.of("docs", "controllers.md"));
    int tables = page.indexOf("## Tests of each state and controller");
    Matcher names = Pattern.compile("`([a-z-]+-controller)`").matcher(page.substring(0, tables));
    Set<String> missing = new TreeSet<>();
    while (names.find()) {
      if (!page.substring(tables).contains(names.group())) {
        missing.add(names.group(1));
      }
    }

    assertThat(missing).isEmpty();
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        // some packages have tests of one name
        String unused =
            sources.merge(
                file.getFileName().toString().replace(".java", ""),
                Files.readString(file),
                String::concat);
      }
    }
    return sources;
  }
}
