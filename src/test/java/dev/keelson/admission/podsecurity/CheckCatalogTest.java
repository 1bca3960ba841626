package dev.keelson.admission.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.AdmissionCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every check in every version: the table {@code checks.txt} has pods that violate a check from one
 * version to another, and pods that do not. Each is tried against every version of both levels.
 */
@Timeout(60)
class CheckCatalogTest {

  private static final int LAST = 40;

  /** A pod and when the levels refuse it. */
  private record Row(String pod, Map<Level, Range> ranges) {

    /** What a level says in a version, or empty. */
    String expected(Level level, int minor) {
      Range range = ranges.get(level);
      return range != null && minor >= range.since && minor <= range.until ? range.text : "";
    }

    String reason(Level level) {
      Range range = ranges.get(level);
      return range == null ? "" : range.text.substring(0, range.text.indexOf(" ("));
    }

    @Override
    public String toString() {
      return pod;
    }
  }

  private record Range(int since, int until, String text) {}

  static Stream<Row> rows() {
    List<Row> rows = new ArrayList<>();
    try (InputStream in = CheckCatalogTest.class.getResourceAsStream("checks.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String block : text.split("\n\n", -1)) {
        List<String> lines = block.lines().filter(line -> !line.startsWith("#")).toList();
        if (!lines.isEmpty()) {
          rows.add(row(lines));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows.stream();
  }

  private static Row row(List<String> lines) {
    Map<Level, Range> ranges = new EnumMap<>(Level.class);
    for (String line : lines.subList(1, lines.size())) {
      String[] parts = line.split(" ", 3);
      int dash = parts[1].indexOf('-');
      String last = parts[1].substring(dash + 1);
      ranges.put(
          Level.of(parts[0]).orElseThrow(),
          new Range(
              Integer.parseInt(parts[1].substring(0, dash)),
              last.isEmpty() ? LAST : Integer.parseInt(last),
              parts[2]));
    }
    return new Row(lines.getFirst(), ranges);
  }

  /** A pod that restricted allows in every version. */
  private static final String HARDENED =
      "{'metadata':{},'spec':{'securityContext':{'runAsNonRoot':true,'seccompProfile':"
          + "{'type':'RuntimeDefault'}},'containers':[{'name':'c','image':'i',"
          + "'securityContext':{'allowPrivilegeEscalation':false,'capabilities':{'drop':['ALL']}}}]}}";

  private static List<Violation> violations(Level level, int minor, String pod) {
    return CheckCatalog.violations(
        new LevelVersion(level, new PolicyVersion(minor)),
        PodTemplate.of(AdmissionCalls.tree(pod)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void pod_violatesWhatTheTableSays(Row row) {
    for (int minor = 0; minor <= LAST; minor++) {
      assertThat(Violation.details(violations(Level.BASELINE, minor, row.pod)))
          .as("baseline v1.%d", minor)
          .isEqualTo(row.expected(Level.BASELINE, minor));
      List<Violation> restricted = violations(Level.RESTRICTED, minor, row.pod);
      String expected = row.expected(Level.RESTRICTED, minor);
      if (expected.isEmpty()) {
        assertThat(restricted.stream().map(Violation::reason))
            .as("restricted v1.%d", minor)
            .doesNotContain(row.reason(Level.RESTRICTED));
      } else {
        assertThat(restricted.stream().map(each -> Violation.details(List.of(each))))
            .as("restricted v1.%d", minor)
            .contains(expected);
      }
      assertThat(violations(Level.PRIVILEGED, minor, row.pod)).isEmpty();
    }
    assertThat(violations(Level.RESTRICTED, PolicyVersion.LATEST.minor(), row.pod))
        .isEqualTo(violations(Level.RESTRICTED, CheckCatalog.NEWEST, row.pod));
  }

  @Test
  void hardenedPod_isAllowedEverywhere() {
    for (int minor = 0; minor <= LAST; minor++) {
      assertThat(violations(Level.RESTRICTED, minor, HARDENED)).isEmpty();
      assertThat(violations(Level.BASELINE, minor, HARDENED)).isEmpty();
    }
  }

  @Test
  void plainPod_violatesMoreInNewerVersions() {
    String plain =
        "{'spec':{'containers':[{'name':'a'},{'name':'b'}],'initContainers':[{'name':'i'}]}}";

    assertThat(Violation.reasons(violations(Level.RESTRICTED, 0, plain)))
        .isEqualTo("runAsNonRoot != true");
    assertThat(Violation.reasons(violations(Level.RESTRICTED, 8, plain)))
        .isEqualTo("allowPrivilegeEscalation != false, runAsNonRoot != true");
    assertThat(Violation.reasons(violations(Level.RESTRICTED, 19, plain)))
        .isEqualTo("allowPrivilegeEscalation != false, runAsNonRoot != true, seccompProfile");
    assertThat(Violation.details(violations(Level.RESTRICTED, 22, plain)))
        .isEqualTo(
            "allowPrivilegeEscalation != false (containers \"i\", \"a\", \"b\" must set"
                + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities"
                + " (containers \"i\", \"a\", \"b\" must set"
                + " securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or"
                + " containers \"i\", \"a\", \"b\" must set securityContext.runAsNonRoot=true),"
                + " seccompProfile (pod or containers \"i\", \"a\", \"b\" must set"
                + " securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\")");
  }
}
