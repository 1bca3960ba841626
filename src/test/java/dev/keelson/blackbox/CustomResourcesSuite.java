package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.RestClient;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The definitions of a real project (Gateway API) by kubectl: applied, explained, used with its
 * examples, refused with its invalid ones, changed and deleted.
 */
@Timeout(180)
abstract class CustomResourcesSuite {

  private static final Path FILES = Path.of("src", "test", "resources", "crds");
  private static final Path ROUTES = FILES.resolve("gateway.networking.k8s.io_httproutes.yaml");
  private static final String NAME = "httproutes.gateway.networking.k8s.io";

  private final KeelsonProcess server;
  private final RestClient client;
  private @TempDir Path home;
  private Kubectl kubectl;

  CustomResourcesSuite(KeelsonProcess server) {
    this.server = server;
    this.client = RestClient.administrator(server);
    this.kubectl = new Kubectl(server.kubeconfigFile(), Path.of("."));
  }

  @BeforeEach
  void define() {
    kubectl = new Kubectl(server.kubeconfigFile(), home);
    kubectl.run("apply", "--server-side", "-f", ROUTES.toString());
    kubectl.awaitEstablished(NAME);
  }

  @AfterEach
  void remove() {
    kubectl.run("delete", "crd", NAME, "--ignore-not-found");
    client.get("/apis/gateway.networking.k8s.io/v1").then().statusCode(404);
  }

  static List<Path> examples() throws IOException {
    return files("examples");
  }

  static List<Path> invalid() throws IOException {
    return files("invalid");
  }

  private static List<Path> files(String directory) throws IOException {
    try (Stream<Path> files = Files.list(FILES.resolve(directory))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void example_isAppliedByClientAndServer(Path file) {
    assertThat(kubectl.run("apply", "-f", file.toString())).contains(" created");
    String version = "jsonpath={.metadata.resourceVersion}";
    String before = kubectl.run("get", "-f", file.toString(), "-o", version);
    // kubectl sends lists again in which the server has filled in defaults
    assertThat(kubectl.run("apply", "-f", file.toString()))
        .containsAnyOf(" unchanged", " configured");
    assertThat(kubectl.run("get", "-f", file.toString(), "-o", version)).isEqualTo(before);
    assertThat(kubectl.run("apply", "--server-side", "--force-conflicts", "-f", file.toString()))
        .contains("serverside-applied");
    assertThat(kubectl.run("diff", "-f", file.toString())).isEmpty();
    assertThat(kubectl.run("get", "-f", file.toString())).contains("HOSTNAMES").contains("AGE");
    kubectl.run("delete", "-f", file.toString());
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void invalidExample_isRefused(Path file) {
    Kubectl.Result answer = kubectl.attempt("", "create", "-f", file.toString());

    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isNotZero();
    assertThat(answer.err()).containsAnyOf("is invalid: ", "strict decoding error");
  }

  @Test
  void explain_showsTheFields() {
    assertEventually(
        () ->
            assertThat(kubectl.attempt("", "explain", "httproute.spec.rules.matches.path").out())
                .contains("PathPrefix"));
  }

  @Test
  void defaults_areFilledIn() {
    JsonPath route =
        client
            .post(
                "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes",
                Map.of(
                    "apiVersion",
                    "gateway.networking.k8s.io/v1",
                    "kind",
                    "HTTPRoute",
                    "metadata",
                    Map.of("name", "defaults"),
                    "spec",
                    Map.of("parentRefs", List.of(Map.of("name", "gateway")))))
            .then()
            .statusCode(201)
            .extract()
            .jsonPath();

    assertThat(route.getString("spec.parentRefs[0].kind")).isEqualTo("Gateway");
    assertThat(route.getString("spec.rules[0].matches[0].path.type")).isEqualTo("PathPrefix");
    assertThat(route.getInt("metadata.generation")).isEqualTo(1);
  }

  @Test
  void otherVersion_isServed_andChangesOfTheDefinitionLoseNothing() {
    kubectl.run("apply", "-f", examples0().toString());
    String name =
        kubectl.run("get", "httproutes", "-o", "name").strip().lines().findFirst().orElseThrow();
    assertThat(kubectl.run("get", name.replace("httproute.", "httproutes.v1beta1."), "-o", "yaml"))
        .contains("apiVersion: gateway.networking.k8s.io/v1beta1");

    kubectl.run(
        "patch",
        "crd",
        NAME,
        "--type=json",
        "-p",
        "[{\"op\":\"add\",\"path\":\"/spec/versions/0/additionalPrinterColumns/-\","
            + "\"value\":{\"name\":\"More\",\"type\":\"string\",\"jsonPath\":\".kind\"}}]");

    assertThat(kubectl.run("get", "httproutes")).contains("MORE").contains("HTTPRoute");
    kubectl.run("delete", "httproutes", "--all");
  }

  private static Path examples0() {
    try {
      return examples().getFirst();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void deletion_removesTheObjects() {
    kubectl.run("apply", "-f", examples0().toString());

    kubectl.run("delete", "crd", NAME);

    client.get("/apis/gateway.networking.k8s.io/v1/httproutes").then().statusCode(404);
    define();
    assertThat(
            client.get("/apis/gateway.networking.k8s.io/v1/httproutes").jsonPath().getList("items"))
        .isEmpty();
  }
}
