package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server whose configuration file limits resources to namespaces with a quota for them. */
@Timeout(120)
class LimitedResourcesTest {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersionResource QUOTAS =
      GroupVersion.CORE_V1.resource("resourcequotas");

  private final Vertx vertx = Vertx.vertx();

  private ComposedServer server(Path directory, String plugin, String type, String fields)
      throws IOException {
    Path file = directory.resolve("admission.yaml");
    Files.writeString(
        file,
        "apiVersion: apiserver.k8s.io/v1alpha1\nkind: AdmissionConfiguration\nplugins:\n- name: "
            + plugin
            + "\n  configuration: {"
            + type
            + fields
            + "}\n");
    return ComposedServer.of(
        OpenedResources.open(
            CustomTypesContract.options(
                List.of(
                    "--data-dir=" + directory.resolve("data"),
                    "--secure-port=0",
                    "--enable-admission-plugins=PodTolerationRestriction",
                    "--disable-admission-plugins=ServiceAccount",
                    "--admission-control-config-file=" + file)),
            InstantSource.system()),
        vertx);
  }

  private static ApiObject object(String json) {
    return new ApiObject((MapNode) ObjectReader.untypedYaml(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static ApiObject pod(String name, String resources) {
    return object(
        "{apiVersion: v1, kind: Pod, metadata: {name: "
            + name
            + "}, spec: {containers: [{name: c, image: i, resources: {requests: {"
            + resources
            + "}}}]}}");
  }

  @Test
  void podThatRequestsALimitedResource_needsAQuotaForIt(@TempDir Path directory) throws Exception {
    ComposedServer server =
        server(
            directory,
            "ResourceQuota",
            "apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuotaConfiguration",
            ", limitedResources: [{resource: pods, matchContains: [requests.cpu]}]");
    try {
      assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
      Eventually.assertEventually(
          () ->
              assertThat(
                      server
                          .client()
                          .get(GroupVersion.CORE_V1.resource("namespaces"), "", "default"))
                  .isPresent());

      assertThatThrownBy(() -> server.client().create(PODS, "default", pod("a", "cpu: 100m")))
          .hasMessage("pods \"a\" is forbidden: insufficient quota to consume: requests.cpu");
      assertThat(server.client().create(PODS, "default", pod("b", "")).meta().name())
          .isEqualTo("b");

      ApiObject quota =
          server
              .client()
              .create(
                  QUOTAS,
                  "default",
                  object(
                      "{apiVersion: v1, kind: ResourceQuota, metadata: {name: q}, spec: {hard:"
                          + " {requests.cpu: '10'}}}"));
      assertThat(quota.meta().name()).isEqualTo("q");
      Eventually.assertEventually(
          () ->
              assertThat(
                      server
                          .client()
                          .get(QUOTAS, "default", "q")
                          .orElseThrow()
                          .root()
                          .map("status")
                          .map("used")
                          .text("requests.cpu"))
                  .isEqualTo("0"));
      assertThat(server.client().create(PODS, "default", pod("c", "cpu: 100m")).meta().name())
          .isEqualTo("c");
    } finally {
      int running = server.server().stop();
      assertThat(running).isZero();
      Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ResourceQuota|'apiVersion: apiserver.config.k8s.io/v1, kind: Other'|Other"
            + "|apiserver.config.k8s.io/v1",
        "ResourceQuota|'apiVersion: resourcequota.admission.k8s.io/v1beta1, kind:"
            + " ResourceQuotaConfiguration'|ResourceQuotaConfiguration"
            + "|resourcequota.admission.k8s.io/v1beta1",
        "PodTolerationRestriction|'apiVersion: apiserver.config.k8s.io/v1, kind: Configuration'"
            + "|Configuration|apiserver.config.k8s.io/v1",
      })
  void configurationOfAnotherType_isRefused(
      String plugin, String type, String kind, String version, @TempDir Path directory) {
    assertThatThrownBy(
            () -> {
              ComposedServer unused = server(directory, plugin, type, "");
            })
        .hasMessageContaining(plugin)
        .hasMessageEndingWith(
            ": no kind \"" + kind + "\" is registered for version \"" + version + "\"");
  }
}
