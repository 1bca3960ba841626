package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Source: {@code cluster_authentication_trust_controller_test.go} of kube-apiserver. */
@Timeout(120)
class ClusterAuthenticationTrustControllerTest {

  private static final String NAME = "extension-apiserver-authentication";

  /** The longest data of a ConfigMap. */
  private static final int MOST = 1_048_576;

  private final TestAuthority one = TestAuthority.root("one", Period.now());
  private final TestAuthority two = TestAuthority.root("two", Period.now());
  private final LocalApi api;
  private final ResourceClient client;

  ClusterAuthenticationTrustControllerTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    SystemObjects.createNamespace(client, "kube-system");
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void publish(
      List<X509Certificate> clients, ClusterAuthenticationInfo.@Nullable Proxy proxy) {
    try (ClusterAuthenticationTrustController controller =
        new ClusterAuthenticationTrustController(
            client, () -> new ClusterAuthenticationInfo(clients, proxy), InstantSource.system())) {
      controller.publish();
    }
  }

  private static ClusterAuthenticationInfo.Proxy proxy(TestAuthority authority, String... names) {
    return new ClusterAuthenticationInfo.Proxy(
        List.of(authority.certificate()),
        List.of("alfa", "bravo"),
        List.of(),
        List.of(),
        List.of("echo"),
        List.of(names));
  }

  private MapNode data() {
    return api.get("v1", "configmaps", "kube-system", NAME).root().map("data");
  }

  private void create(MapNode data) {
    ApiObject unused =
        client.create(
            GroupVersion.CORE_V1.resource("configmaps"),
            "kube-system",
            new ApiObject(
                MapNode.of("metadata", MapNode.of("name", Node.text(NAME))).with("data", data)));
  }

  @Test
  void configMap_hasWhatTheServerTrusts() {
    publish(List.of(), proxy(one));

    assertThat(data())
        .isEqualTo(
            MapNode.ofTexts(
                Map.of(
                    "requestheader-client-ca-file",
                    one.pem(),
                    "requestheader-username-headers",
                    "[\"alfa\",\"bravo\"]",
                    "requestheader-group-headers",
                    "[]",
                    "requestheader-extra-headers-prefix",
                    "[\"echo\"]",
                    "requestheader-allowed-names",
                    "[]")));
  }

  @Test
  void authoritiesAndNamesOfOtherServers_stay() {
    publish(List.of(one.certificate()), proxy(one, "first"));

    publish(List.of(two.certificate()), proxy(two, "second", "first"));

    assertThat(data().text("client-ca-file")).isEqualTo(one.pem() + two.pem());
    assertThat(data().text("requestheader-client-ca-file")).isEqualTo(one.pem() + two.pem());
    assertThat(data().text("requestheader-allowed-names")).isEqualTo("[\"first\",\"second\"]");
  }

  @Test
  void withoutAChange_nothingIsWritten() {
    publish(List.of(one.certificate()), null);
    ApiObject before = api.get("v1", "configmaps", "kube-system", NAME);

    publish(List.of(one.certificate()), null);

    assertThat(api.get("v1", "configmaps", "kube-system", NAME)).isEqualTo(before);
  }

  @Test
  void configMap_thatIsFull_isDeletedAndMadeAnew() {
    create(MapNode.of("other", Node.text("x".repeat(MOST - 10))));

    assertThatThrownBy(() -> publish(List.of(one.certificate()), null))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Too long");
    publish(List.of(one.certificate()), null);

    assertThat(data()).isEqualTo(MapNode.of("client-ca-file", Node.text(one.pem())));
  }
}
