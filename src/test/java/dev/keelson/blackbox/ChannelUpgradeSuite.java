package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The definitions of the Gateway API go from the standard to the experimental channel and back,
 * with objects in place, by kubectl.
 */
@Timeout(180)
abstract class ChannelUpgradeSuite {

  private static final Path STANDARD = Path.of("src", "test", "resources", "crds");
  private static final Path EXPERIMENTAL = STANDARD.resolve("experimental");
  private static final String GROUP = "gateway.networking.k8s.io";
  private static final String NAME = "jsonpath={.items[*].metadata.name}";
  private static final String STATES =
      "jsonpath={range .items[*]}{.metadata.name} {.metadata.resourceVersion}{\"\\n\"}{end}";

  /** Uses a field that the standard channel does not have. */
  private static final String ROUTE =
      """
      {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "%s", "metadata": {"name": "%s"},
       "spec": {"rules": [{"sessionPersistence": {"cookie": {"name": "s"}}}]}}
      """;

  private static final String SESSION = "jsonpath={.spec.rules[0].sessionPersistence}";

  private final RestClient client;
  private final KeelsonProcess server;
  private @TempDir Path home;
  private Kubectl kubectl;

  ChannelUpgradeSuite(KeelsonProcess server) {
    this.server = server;
    client = RestClient.administrator(server);
    kubectl = new Kubectl(server.kubeconfigFile(), Path.of("."));
  }

  @BeforeEach
  void useOwnHome() {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
  }

  @AfterEach
  void remove() {
    for (String plural : new String[] {"httproutes", "grpcroutes"}) {
      kubectl.run("delete", "crd", plural + "." + GROUP, "--ignore-not-found");
    }
    client.get("/apis/" + GROUP).then().statusCode(404);
  }

  private static String file(Path channel, String plural) {
    return channel.resolve(GROUP + "_" + plural + ".yaml").toString();
  }

  private void awaitExplained(String path, String part) {
    assertEventually(
        () -> assertThat(kubectl.attempt("", "explain", path).out()).as(path).contains(part));
  }

  private void awaitUnexplained(String path) {
    assertEventually(
        () -> assertThat(kubectl.attempt("", "explain", path).err()).contains("does not exist"));
  }

  private void assertUnknownField(String route) {
    Kubectl.Result strict = kubectl.attempt(route, "create", "-f", "-");
    assertThat(strict.exitCode()).as(strict.out()).isNotZero();
    assertThat(strict.err()).contains("unknown field \"spec.rules[0].sessionPersistence\"");
  }

  @Test
  void httpRoutes_areUpgradedOnTheServer_andBack() {
    kubectl.run("apply", "--server-side", "-f", file(STANDARD, "httproutes"));
    kubectl.awaitEstablished("httproutes." + GROUP);
    kubectl.run("apply", "-f", STANDARD.resolve("examples").toString());
    String before = kubectl.run("get", "httproutes", "-o", STATES);
    awaitUnexplained("httproute.spec.rules.sessionPersistence");
    assertUnknownField(ROUTE.formatted("HTTPRoute", "sticky"));
    // the annotation of a client-side apply would be too long, as for kube-apiserver
    Kubectl.Result tooLong =
        kubectl.attempt("", "apply", "-f", file(EXPERIMENTAL, "httproutes"), "--dry-run=server");
    assertThat(tooLong.err())
        .contains("metadata.annotations: Too long: may not be more than 262144 bytes");

    String upgraded = kubectl.run("apply", "--server-side", "-f", file(EXPERIMENTAL, "httproutes"));

    assertThat(upgraded).contains("httproutes." + GROUP + " serverside-applied");
    assertThat(kubectl.run("get", "httproutes", "-o", STATES)).isEqualTo(before);
    awaitExplained("httproute.spec.rules.sessionPersistence", "SessionPersistence defines");
    assertThat(kubectl.runWithInput(ROUTE.formatted("HTTPRoute", "sticky"), "apply", "-f", "-"))
        .contains("created");
    // a default of the new channel
    assertThat(kubectl.run("get", "httproute", "sticky", "-o", SESSION))
        .contains("\"type\":\"Cookie\"");
    kubectl.run("apply", "--server-side", "--force-conflicts", "-f", examples());
    Kubectl.Result invalid =
        kubectl.attempt("", "create", "-f", EXPERIMENTAL.resolve("invalid").toString());
    assertThat(invalid.out()).isEmpty();
    assertThat(invalid.err().split("is invalid: ", -1)).hasSize(5);
    assertThat(kubectl.attempt("", "create", "-f", STANDARD.resolve("invalid").toString()).out())
        .isEmpty();

    kubectl.run("apply", "--server-side", "-f", file(STANDARD, "httproutes"));

    assertThat(kubectl.run("get", "httproute", "sticky", "-o", SESSION)).isEmpty();
    awaitUnexplained("httproute.spec.rules.sessionPersistence");
    assertUnknownField(ROUTE.formatted("HTTPRoute", "other"));
    kubectl.run("label", "httproute", "sticky", "still=writable");
    assertThat(kubectl.run("get", "httproutes", "-o", NAME).split(" ", -1))
        .hasSize(before.split("\n", -1).length);

    kubectl.run("delete", "crd", "httproutes." + GROUP);
    client.get("/apis/" + GROUP + "/v1/httproutes").then().statusCode(404);
  }

  private static String examples() {
    return STANDARD.resolve("examples").toString();
  }

  @Test
  void grpcRoutes_areUpgradedByTheClient_andBack() {
    kubectl.run("apply", "-f", file(STANDARD, "grpcroutes"));
    kubectl.awaitEstablished("grpcroutes." + GROUP);
    kubectl.run("apply", "-f", STANDARD.resolve("examples-grpc").toString());
    String before = kubectl.run("get", "grpcroutes", "-o", STATES);
    String route = ROUTE.formatted("GRPCRoute", "sticky");
    assertUnknownField(route);

    assertThat(kubectl.run("apply", "-f", file(EXPERIMENTAL, "grpcroutes"))).contains("configured");

    assertThat(kubectl.run("get", "grpcroutes", "-o", STATES)).isEqualTo(before);
    awaitExplained("grpcroute.spec.rules.sessionPersistence", "SessionPersistence defines");
    assertThat(kubectl.runWithInput(route, "apply", "--server-side", "-f", "-"))
        .contains("serverside-applied");
    assertThat(kubectl.run("diff", "-f", file(EXPERIMENTAL, "grpcroutes"))).isEmpty();

    assertThat(kubectl.run("apply", "-f", file(STANDARD, "grpcroutes"))).contains("configured");

    assertThat(kubectl.run("get", "grpcroute", "sticky", "-o", SESSION)).isEmpty();
    awaitUnexplained("grpcroute.spec.rules.sessionPersistence");
    assertThat(kubectl.run("diff", "-f", file(STANDARD, "grpcroutes"))).isEmpty();
  }
}
