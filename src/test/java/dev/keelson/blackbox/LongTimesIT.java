package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.keelson.testing.CertificateRequests;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controllers that wait for days, by kubectl against a server whose wall clock is set. */
final class LongTimesIT {

  @TempDir private Path directory;

  private String get(KeelsonProcess server, String... arguments) {
    String[] command = new String[arguments.length + 2];
    command[0] = "get";
    command[1] = "--ignore-not-found";
    System.arraycopy(arguments, 0, command, 2, arguments.length);
    return new Kubectl(server.kubeconfigFile(), directory).run(command);
  }

  @Test
  void requestsAndTokensThatNobodyCaresFor_goAfterDays() {
    Optional<WallClock> set = WallClock.create(directory.resolve("clock"));
    assumeThat(set).as("a C compiler").isPresent();
    WallClock clock = set.orElseThrow();
    String request = CertificateRequests.request(CertificateRequests.keys(), "CN=olga");
    try (KeelsonProcess server =
        KeelsonProcess.startWith(
            clock.launcher(),
            directory.resolve("data"),
            List.of("--legacy-service-account-token-clean-up-period=24h"))) {
      String unused =
          new Kubectl(server.kubeconfigFile(), directory)
              .runWithInput(
                  """
                  apiVersion: certificates.k8s.io/v1
                  kind: CertificateSigningRequest
                  metadata: {name: olga}
                  spec: {request: %s, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth]}
                  ---
                  apiVersion: v1
                  kind: ServiceAccount
                  metadata: {name: robot}
                  secrets: [{name: robot-token}]
                  ---
                  apiVersion: v1
                  kind: Secret
                  metadata: {name: robot-token, annotations: {kubernetes.io/service-account.name: robot}}
                  type: kubernetes.io/service-account-token
                  """
                      .formatted(request),
                  "apply",
                  "--filename=-");
      assertEventually(
          () ->
              assertThat(get(server, "secret/robot-token", "--output=jsonpath={.data.token}"))
                  .isNotEmpty());
      assertThat(get(server, "csr/olga")).contains("Pending");

      server.stop();
      clock.shift(Duration.ofDays(3));
      server.start();

      assertEventually(
          () -> {
            assertThat(get(server, "csr/olga")).isEmpty();
            assertThat(get(server, "secret/robot-token", "--output=jsonpath={.metadata.labels}"))
                .contains("kubernetes.io/legacy-token-invalid-since");
          });

      server.stop();
      clock.shift(Duration.ofDays(6));
      server.start();

      assertEventually(() -> assertThat(get(server, "secret/robot-token")).isEmpty());
    }
  }
}
