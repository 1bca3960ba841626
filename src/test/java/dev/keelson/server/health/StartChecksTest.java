package dev.keelson.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.health.HealthCheck;
import dev.keelson.server.lifecycle.Lifecycle;
import dev.keelson.server.lifecycle.StartProgress;
import org.junit.jupiter.api.Test;

class StartChecksTest {

  private final StartProgress progress = new StartProgress();

  @Test
  void checks_haveKubernetesNamesAndOrder() {
    assertThat(StartChecks.of(progress::hasStarted).stream().map(HealthCheck::name))
        .startsWith(
            "poststarthook/start-apiserver-admission-initializer",
            "poststarthook/generic-apiserver-start-informers")
        .contains(
            "poststarthook/rbac/bootstrap-roles",
            "poststarthook/scheduling/bootstrap-system-priority-classes",
            "poststarthook/crd-informer-synced")
        .endsWith(
            "autoregister-completion",
            "poststarthook/apiservice-openapi-controller",
            "poststarthook/apiservice-openapiv3-controller")
        .doesNotHaveDuplicates()
        .hasSize(32);
  }

  @Test
  void check_failsUntilItsPartHasStarted() {
    HealthCheck roles =
        StartChecks.of(progress::hasStarted).stream()
            .filter(check -> check.name().equals("poststarthook/rbac/bootstrap-roles"))
            .findFirst()
            .orElseThrow();

    assertThat(roles.failure()).contains("not finished");
    new Lifecycle(progress).add("authorization", () -> {}).start();

    assertThat(roles.failure()).isEmpty();
    assertThat(StartChecks.feeds(progress::hasStarted).failure()).contains("not finished");
  }
}
