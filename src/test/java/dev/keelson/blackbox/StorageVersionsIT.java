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

/** The storage versions of a server, and the removal of those of servers that are gone. */
final class StorageVersionsIT {

  private static final String OTHER =
      "{\"apiServerID\":\"apiserver-other\",\"encodingVersion\":\"apps/v1beta1\","
          + "\"decodableVersions\":[\"apps/v1beta1\"]}";

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;
  private static String identity;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--feature-gates=StorageVersionAPI=true",
                "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true",
                "--controllers=storageversion-garbage-collector-controller",
                "--authorization-mode=RBAC"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "leases",
                        "--namespace=kube-system",
                        "--selector=apiserver.kubernetes.io/identity=kube-apiserver",
                        "--output=name"))
                .isNotEmpty());
    identity =
        kubectl.run(
            "get",
            "leases",
            "--namespace=kube-system",
            "--selector=apiserver.kubernetes.io/identity=kube-apiserver",
            "--output=jsonpath={.items[0].metadata.name}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String field(String resource, String path) {
    return kubectl
        .attempt(
            "",
            "get",
            "storageversion",
            resource,
            "--output=jsonpath={" + path + "}",
            "--ignore-not-found")
        .out();
  }

  private static void awaitField(String resource, String path, String value) {
    assertEventually(() -> assertThat(field(resource, path)).isEqualTo(value));
  }

  private static void patchStatus(String resource, String patch) {
    String unused =
        kubectl.run(
            "patch",
            "storageversion",
            resource,
            "--subresource=status",
            "--type=json",
            "--patch=" + patch);
  }

  @Test
  void server_statesInWhichVersionsItWritesAndReads() {
    awaitField("core.configmaps", ".status.storageVersions[*].apiServerID", identity);

    assertThat(field("core.configmaps", ".status.commonEncodingVersion")).isEqualTo("v1");
    awaitField("apps.statefulsets", ".status.storageVersions[0].encodingVersion", "apps/v1");
    assertThat(field("apps.statefulsets", ".status.storageVersions[0].decodableVersions"))
        .contains("apps/v1");
    assertThat(field("apps.statefulsets", ".status.storageVersions[0].servedVersions"))
        .contains("apps/v1");
    assertThat(
            field(
                "apps.statefulsets",
                ".status.conditions[0].type} {.status.conditions[0].status} "
                    + "{.status.conditions[0].reason} {.status.conditions[0].message"))
        .isEqualTo(
            "AllEncodingVersionsEqual True CommonEncodingVersionSet Common encoding version set");
    assertThat(kubectl.run("get", "storageversions", "apps.statefulsets"))
        .containsPattern("NAME +COMMONENCODINGVERSION +STORAGEVERSIONS +AGE")
        .containsPattern("apps.statefulsets +apps/v1 +" + identity + "=apps/v1 ");
  }

  @Test
  void statementOfAnotherServer_staysAsLongAsItsLease() {
    awaitField("apps.deployments", ".status.commonEncodingVersion", "apps/v1");
    String unused =
        kubectl.runWithInput(
            """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata:
              name: apiserver-other
              namespace: kube-system
              labels: {apiserver.kubernetes.io/identity: kube-apiserver}
            spec: {holderIdentity: other, leaseDurationSeconds: 3600, renewTime: "2099-01-01T00:00:00.000000Z"}
            """,
            "apply",
            "--filename=-");
    patchStatus(
        "apps.deployments",
        "[{\"op\":\"add\",\"path\":\"/status/storageVersions/-\",\"value\":"
            + OTHER
            + "},{\"op\":\"remove\",\"path\":\"/status/commonEncodingVersion\"}]");
    // of a server that nobody knows: removed, which shows that the collector has looked
    patchStatus(
        "apps.replicasets",
        "[{\"op\":\"add\",\"path\":\"/status/storageVersions/-\",\"value\":"
            + OTHER.replace("other", "unknown")
            + "},{\"op\":\"remove\",\"path\":\"/status/commonEncodingVersion\"}]");
    awaitField("apps.replicasets", ".status.storageVersions[*].apiServerID", identity);
    awaitField("apps.replicasets", ".status.commonEncodingVersion", "apps/v1");
    assertThat(field("apps.deployments", ".status.storageVersions[*].apiServerID"))
        .isEqualTo(identity + " apiserver-other");

    unused = kubectl.run("delete", "lease", "apiserver-other", "--namespace=kube-system");

    awaitField("apps.deployments", ".status.storageVersions[*].apiServerID", identity);
    awaitField("apps.deployments", ".status.commonEncodingVersion", "apps/v1");
    assertThat(field("apps.deployments", ".status.conditions[0].status")).isEqualTo("True");
  }

  @Test
  void resourceOfNoServer_isRemoved() {
    String unused =
        kubectl.runWithInput(
            """
            apiVersion: internal.apiserver.k8s.io/v1alpha1
            kind: StorageVersion
            metadata: {name: example.com.relics}
            spec: {}
            """,
            "create",
            "--filename=-");
    patchStatus(
        "example.com.relics",
        "[{\"op\":\"add\",\"path\":\"/status\",\"value\":{\"storageVersions\":["
            + OTHER.replace("other", "former")
            + "],\"commonEncodingVersion\":\"apps/v1beta1\"}}]");

    awaitField("example.com.relics", ".metadata.name", "");
  }
}
