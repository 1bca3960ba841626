package dev.keelson.audit.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Events;
import dev.keelson.request.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines in the shape that the tests of Kubernetes 1.13's log back end show. */
class LegacyLineTest {

  @Test
  void everyField_isOnTheLine() {
    assertThat(new String(LegacyLine.of(EventJsonTest.full()), StandardCharsets.UTF_8))
        .isEqualTo(
            "2026-03-04T05:06:07.0809Z AUDIT: id=\"a-1\" stage=\"ResponseComplete\""
                + " ip=\"203.0.113.7\" method=\"create\" user=\"admin\""
                + " groups=\"\\\"g1\\\",\\\"g2\\\"\" as=\"jane\" asgroups=\"<lookup>\""
                + " user-agent=\"kubectl/v1.36.0\" namespace=\"ns\""
                + " uri=\"/api/v1/namespaces/ns/pods?limit=500&x=<y>\" response=\"201\"");
  }

  @Test
  void whatIsUnknown_hasItsWord() {
    EventFields fields =
        new EventFields(
            Level.METADATA,
            Stage.REQUEST_RECEIVED,
            new RequestFacts(
                "id", "/a\n\"b\"\\\u00a0é", "get", null, List.of(), "\u0007\u007f", second()),
            null,
            null,
            null,
            null,
            null,
            Events.TIME,
            Map.of());

    assertThat(LegacyLine.text(fields))
        .isEqualTo(
            "2026-03-04T05:06:07Z AUDIT: id=\"id\" stage=\"RequestReceived\" ip=\"<unknown>\""
                + " method=\"get\" user=\"<none>\" groups=\"<none>\" as=\"<self>\""
                + " asgroups=\"<lookup>\" user-agent=\"\\a\\x7f\" namespace=\"<none>\" uri=\"/a\\n"
                + "\\\"b\\\"\\\\\\u00a0é\" response=\"<deferred>\"");
  }

  @Test
  void impersonatedGroups_areQuotedAsAListAndThatAgainAsAValue() {
    EventFields fields =
        new EventFields(
            Level.METADATA,
            Stage.RESPONSE_COMPLETE,
            new RequestFacts(
                "id",
                "/apis",
                "get",
                new UserInfo("", "", List.of("unnamed"), Map.of()),
                List.of("127.0.0.1"),
                "it",
                second()),
            new Impersonated(new UserInfo("jane", "", List.of("a", "b\"c"), Map.of()), ""),
            null,
            ResponseStatus.of(200),
            null,
            null,
            Events.TIME,
            Map.of());

    assertThat(LegacyLine.text(fields))
        .contains(
            " user=\"<none>\" groups=\"<none>\" as=\"jane\""
                + " asgroups=\"\\\"a\\\",\\\"b\\\\\\\"c\\\"\" ");
  }

  @Test
  void requestOfKubernetesOwnTest_hasItsLine() {
    EventFields fields =
        new EventFields(
            Level.METADATA,
            Stage.REQUEST_RECEIVED,
            new RequestFacts(
                "id",
                "/apis/rbac.authorization.k8s.io/v1/roles",
                "get",
                new UserInfo(
                    "admin", "", List.of("system:masters", "system:authenticated"), Map.of()),
                List.of("127.0.0.1"),
                "kube-admin",
                second()),
            null,
            new ObjectReference("", "default", "", "", "", "", "", ""),
            ResponseStatus.of(200),
            null,
            null,
            Events.TIME,
            Map.of());

    assertThat(LegacyLine.text(fields))
        .isEqualTo(
            "2026-03-04T05:06:07Z AUDIT: id=\"id\" stage=\"RequestReceived\" ip=\"127.0.0.1\""
                + " method=\"get\" user=\"admin\""
                + " groups=\"\\\"system:masters\\\",\\\"system:authenticated\\\"\" as=\"<self>\""
                + " asgroups=\"<lookup>\" user-agent=\"kube-admin\" namespace=\"default\""
                + " uri=\"/apis/rbac.authorization.k8s.io/v1/roles\" response=\"200\"");
  }

  private static Instant second() {
    return Instant.parse("2026-03-04T05:06:07Z");
  }
}
