package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that somebody keeps by hand become EndpointSlices, by kubectl alone. */
final class MirroredEndpointsIT {

  private static final String OUTSIDE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: outside}
      spec: {ports: [{name: db, port: 5432}]}
      ---
      apiVersion: v1
      kind: Endpoints
      metadata: {name: outside, labels: {tier: data}}
      subsets:
      - addresses: [{ip: 192.0.2.1}, {ip: "2001:db8::1"}]
        notReadyAddresses: [{ip: 192.0.2.2}]
        ports: [{name: db, port: 5432}]
      """;

  private static final String SLICES =
      "jsonpath={range .items[*]}{.addressType} {.metadata.labels.tier}"
          + " {range .endpoints[*]}{.addresses[0]}={.conditions.ready} {end}{\"\\n\"}{end}";

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server = KeelsonProcess.start(directory.resolve("data"), List.of("--authorization-mode=RBAC"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> slices(String service) {
    return kubectl
        .run("get", "endpointslices", "-l", "kubernetes.io/service-name=" + service, "-o", SLICES)
        .lines()
        .map(String::strip)
        .sorted()
        .toList();
  }

  @Test
  void endpointsOfAServiceWithoutSelector_areMirroredAndFollowed() {
    String unused = kubectl.runWithInput(OUTSIDE, "apply", "-f", "-");
    assertEventually(
        () ->
            assertThat(slices("outside"))
                .containsExactly(
                    "IPv4 data 192.0.2.1=true 192.0.2.2=false", "IPv6 data 2001:db8::1=true"));
    assertThat(kubectl.run("get", "endpointslices", "-o", "name")).contains("outside-");

    String unused2 =
        kubectl.run(
            "patch",
            "endpoints",
            "outside",
            "--type=json",
            "-p",
            "[{\"op\":\"replace\",\"path\":\"/subsets/0/addresses\",\"value\":[{\"ip\":\"192.0.2.9\"}]}]");
    assertEventually(
        () ->
            assertThat(slices("outside"))
                .containsExactly("IPv4 data 192.0.2.9=true 192.0.2.2=false"));

    String unused3 =
        kubectl.run(
            "label", "endpoints", "outside", "endpointslice.kubernetes.io/skip-mirror=true");
    assertEventually(() -> assertThat(slices("outside")).isEmpty());
    String unused4 =
        kubectl.run("label", "endpoints", "outside", "endpointslice.kubernetes.io/skip-mirror-");
    assertEventually(() -> assertThat(slices("outside")).hasSize(1));

    String unused5 = kubectl.run("delete", "service", "outside");
    assertEventually(() -> assertThat(slices("outside")).isEmpty());
  }

  @Test
  void tooManyAddresses_areReported() {
    StringBuilder addresses = new StringBuilder();
    for (int i = 0; i < 1001; i++) {
      addresses
          .append(i == 0 ? "" : ",")
          .append("{\"ip\":\"10.1.%d.%d\"}".formatted(i / 250, i % 250 + 1));
    }
    String unused =
        kubectl.runWithInput(
            """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Service, metadata: {name: many}, spec: {ports: [{port: 80}]}}
            - {apiVersion: v1, kind: Endpoints, metadata: {name: many}, subsets: [{ports: [{port: 80}], addresses: [%s]}]}
            """
                .formatted(addresses),
            "create",
            "-f",
            "-");

    assertEventually(
        () ->
            assertThat(kubectl.run("get", "events", "--field-selector=involvedObject.name=many"))
                .contains("TooManyAddressesToMirror")
                .contains(
                    "A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints"
                        + " subset. 1 addresses were skipped"));
    assertThat(slices("many")).hasSize(1);
  }
}
