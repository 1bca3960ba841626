package dev.keelson.audit.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.AuditConfig;
import dev.keelson.audit.AuditPolicy;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests and what policies say of them. The table's answers are worked out by hand from
 * Kubernetes' documentation, not computed.
 */
class PolicyTableTest {

  private static final Map<String, AuditPolicy> POLICIES =
      Stream.of("documented", "wildcards", "people", "paths")
          .collect(Collectors.toMap(name -> name, name -> policy(name + ".yaml")));

  static List<String> rows() {
    return text("policy-table.txt")
        .lines()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void request_isGivenTheLevelAndStagesOfTheFirstRuleThatMatches(String row) {
    String[] cells = Arrays.stream(row.split("\\|", -1)).map(String::strip).toArray(String[]::new);
    String[] request = cells[3].split(" ", 2);
    Set<String> omitted = omitted(cells);

    AuditConfig config =
        Objects.requireNonNull(POLICIES.get(cells[0]), cells[0])
            .evaluate(user(cells[1], cells[2]), info(request[0], request[1]));

    assertThat(config.level().word()).isEqualTo(cells[4]);
    assertThat(config.omitStages())
        .extracting(Stage::word)
        .containsExactlyInAnyOrderElementsOf(
            omitted.stream().filter(word -> !word.equals("omit")).toList());
    assertThat(config.omitManagedFields()).isEqualTo(omitted.contains("omit"));
  }

  @Test
  void table_hasAtLeast150Rows() {
    assertThat(rows()).hasSizeGreaterThanOrEqualTo(150);
  }

  @Test
  void manyUnknownResources_areStillDecided() {
    AuditPolicy policy = policy("wildcards.yaml");
    UserInfo user = new UserInfo("u", "", List.of(), Map.of());

    for (int i = 0; i < 5000; i++) {
      assertThat(policy.evaluate(user, info("GET", "/apis/apps/v1/r" + i)).level())
          .isEqualTo(Level.REQUEST_RESPONSE);
    }
  }

  private static Set<String> omitted(String[] cells) {
    return cells.length < 6 || cells[5].isEmpty() ? Set.of() : Set.of(cells[5].split(",", -1));
  }

  private static @Nullable UserInfo user(String name, String groups) {
    return name.equals("-")
        ? null
        : new UserInfo(
            name, "", groups.isEmpty() ? List.of() : List.of(groups.split(",", -1)), Map.of());
  }

  private static RequestInfo info(String method, String uri) {
    int mark = uri.indexOf('?');
    Map<String, String> query = new HashMap<>();
    if (mark >= 0) {
      for (String pair : uri.substring(mark + 1).split("&", -1)) {
        int equals = pair.indexOf('=');
        query.put(pair.substring(0, equals), pair.substring(equals + 1));
      }
    }
    return RequestInfoResolver.parse(method, mark < 0 ? uri : uri.substring(0, mark), query);
  }

  private static AuditPolicy policy(String file) {
    return PolicyReader.read(
            ObjectReader.untypedYaml(text(file).getBytes(StandardCharsets.UTF_8)), List.of())
        .policy();
  }

  private static String text(String file) {
    try (InputStream in = PolicyTableTest.class.getResourceAsStream("/audit/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
