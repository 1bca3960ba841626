package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes of single nodes: the scheduler and the binder together. */
final class LocalVolumesOnServerTest {

  private static final GroupVersionResource PODS = AdministeredServer.core("pods");
  private static final GroupVersionResource VOLUMES = AdministeredServer.core("persistentvolumes");
  private static final GroupVersionResource CLAIMS =
      AdministeredServer.core("persistentvolumeclaims");

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() throws InterruptedException {
    server =
        new AdministeredServer(
            directory,
            "persistentvolume-binder,ephemeral-volume,serviceaccount,nodelifecycle",
            "--simulated-nodes=3");
    ApiObject unused =
        server.create(
            new GroupVersion("storage.k8s.io", "v1").resource("storageclasses"),
            "StorageClass",
            "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}");
    Eventually.assertEventually(
        () -> assertThat(server.list(AdministeredServer.core("nodes"), "")).hasSize(3));
    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .find(AdministeredServer.core("serviceaccounts"), "default", "default")
                        .isEmpty())
                .isFalse());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void pod(String name) throws InterruptedException {
    ApiObject unused =
        server.create(
            PODS,
            "Pod",
            ("{'metadata':{'name':'%s','namespace':'default'},'spec':{'containers':[{'name':'main',"
                    + "'image':'nginx'}],'volumes':[{'name':'data','ephemeral':{"
                    + "'volumeClaimTemplate':{'spec':{'storageClassName':'local',"
                    + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}}}]}}")
                .formatted(name));
  }

  private void volume(String name, String node) throws InterruptedException {
    ApiObject unused =
        server.create(
            VOLUMES,
            "PersistentVolume",
            ("{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},'local':{'path':'/d'},"
                    + "'accessModes':['ReadWriteOnce'],'storageClassName':'local','nodeAffinity':{"
                    + "'required':{'nodeSelectorTerms':[{'matchFields':[],'matchExpressions':[{"
                    + "'key':'kubernetes.io/hostname','operator':'In','values':['%s']}]}]}}}}")
                .formatted(name, node));
  }

  private String message() {
    return server.find(PODS, "default", "web").map("status").maps("conditions").stream()
        .filter(condition -> condition.text("type").equals("PodScheduled"))
        .map(condition -> condition.text("message"))
        .findFirst()
        .orElse("");
  }

  @Test
  void pod_isPlacedWhereItsVolumeIs() throws Exception {
    pod("web");
    Eventually.assertEventually(
        () ->
            assertThat(message())
                .contains("3 node(s) didn't find available persistent volumes to bind"));

    List<ApiObject> nodes = server.list(AdministeredServer.core("nodes"), "");
    volume("disk", nodes.getLast().meta().name());

    Eventually.assertEventually(
        () ->
            assertThat(server.find(PODS, "default", "web").map("spec").text("nodeName"))
                .isEqualTo(nodes.getLast().meta().name()));
    MapNode claim = server.find(CLAIMS, "default", "web-data");
    assertThat(claim.map("spec").text("volumeName")).isEqualTo("disk");
    assertThat(claim.map("status").text("phase")).isEqualTo("Bound");
  }
}
