package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.junit.KeelsonTest.User;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** What is said of a test that is written wrongly. */
class MistakesTest {

  @KeelsonTest(types = Pod.class)
  static class BuiltInType {}

  @KeelsonTest(users = {@User(name = "u"), @User(name = "u")})
  static class UserTwice {}

  @KeelsonTest
  static class One {}

  @KeelsonTest
  static class Other {}

  static final class WithParameter implements PreparedStore {
    WithParameter(int unused) {}

    @Override
    public void prepare(KeelsonServer server) {}
  }

  private static ClassFixture fixture(Class<?> test) {
    return ClassFixture.of(test, test.getAnnotation(KeelsonTest.class));
  }

  @Test
  void aTypeThatIsNoCustomResource_isNamed() {
    assertThatThrownBy(() -> fixture(BuiltInType.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("io.fabric8.kubernetes.api.model.Pod of types is no CustomResource of fabric8");
  }

  @Test
  void twoUsersOfAName_areRefused() {
    assertThatThrownBy(() -> fixture(UserTwice.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two users of @KeelsonTest are named u");
  }

  @Test
  void aStoreThatCannotBeMade_isNamed() {
    assertThatThrownBy(() -> KeelsonServer.builder().store(WithParameter.class).start())
        .isInstanceOf(KeelsonException.class)
        .hasMessageContaining("WithParameter needs a constructor without parameters");
  }

  @Test
  void aRefusalOfTheServer_isToldInItsWords() {
    KeelsonServer server = KeelsonServer.builder().shared();

    assertThatThrownBy(
            () -> server.apply("{apiVersion: v1, kind: Widgett, metadata: {name: a}}", "default"))
        .isInstanceOf(KeelsonException.class)
        .hasMessage("no type Widgett of v1 is served");
  }

  @Test
  void verbsThatDoNotExist_areRefused() {
    KeelsonServer server = KeelsonServer.builder().shared();

    assertThatThrownBy(() -> server.audit().all().verb("creat"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("creat is not a verb of a request: [connect, create, ");
    assertThatThrownBy(() -> server.faults().on("LIST"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("; verbs are in lower case");
    assertThatThrownBy(() -> server.faults().on("list").times(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not a number of requests: 0");
  }

  @Test
  void auditOfAClass_leavesOutTheNamespacesOfOtherClasses() {
    try (ClassFixture one = fixture(One.class);
        ClassFixture other = fixture(Other.class);
        KubernetesClient here = one.administrator().fabric8();
        KubernetesClient there = other.administrator().fabric8()) {
      AuditLog log = one.audit();
      there.resource(configMap(other)).create();
      here.resource(configMap(one)).create();

      AuditEvent seen =
          log.of("kubernetes-admin").verb("create").resource("configmaps").exactly(1).getFirst();
      assertThat(seen.namespace()).isEqualTo(one.namespace());
    }
  }

  private static ConfigMap configMap(ClassFixture fixture) {
    ConfigMap object = KeelsonServerTest.configMap("audited");
    object.getMetadata().setNamespace(fixture.namespace());
    return object;
  }

  @Test
  void aFailedClaim_listsTheLastRequests() {
    KeelsonServer server = KeelsonServer.builder().shared();
    try (KubernetesClient client = server.user("lister", "system:masters").fabric8()) {
      AuditLog log = server.audit();
      for (int i = 0; i < 52; i++) {
        assertThat(client.configMaps().withName("absent-" + i).get()).isNull();
      }
      log.of("lister").verb("get").exactly(52);

      assertThatThrownBy(() -> log.of("lister").none())
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("but there are 52\n  (2 before)\n  404 lister get configmaps")
          .hasMessageContaining("default/absent-2 ")
          .hasMessageNotContaining("default/absent-1 ");
    }
  }
}
