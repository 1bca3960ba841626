package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The default plugins and the controllers that belong to them, in a whole server. */
@Timeout(120)
class StorageProtectionTest {

  private static final GroupVersionResource CLAIMS =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");
  private static final GroupVersionResource VOLUMES =
      GroupVersion.CORE_V1.resource("persistentvolumes");
  private static final GroupVersionResource CLASSES =
      new GroupVersion("storage.k8s.io", "v1").resource("volumeattributesclasses");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.BACKGROUND);

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Path config = directory.resolve("admission.yaml");
    Files.writeString(
        config,
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AdmissionConfiguration
        plugins:
        - name: PodSecurity
          configuration:
            apiVersion: pod-security.admission.config.k8s.io/v1
            kind: PodSecurityConfiguration
            defaults:
              enforce: privileged
            exemptions:
              namespaces: [exempt]
        """);
    OpenedResources opened =
        OpenedResources.open(
            CustomTypesContract.options(
                List.of(
                    "--data-dir=" + directory,
                    "--secure-port=0",
                    "--admission-control-config-file=" + config)),
            InstantSource.system());
    server = ComposedServer.of(opened, vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .client()
                        .get(
                            GroupVersion.CORE_V1.resource("serviceaccounts"), "default", "default"))
                .isPresent());
  }

  @AfterEach
  void stop() throws Exception {
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private ApiObject create(GroupVersionResource resource, String namespace, String json) {
    return server
        .client()
        .create(resource, namespace, AdmissionCalls.object("v1", resource.resource(), json));
  }

  private Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
    return server.client().get(resource, namespace, name);
  }

  private ApiObject claim(String name) {
    return create(
        CLAIMS,
        "default",
        "{'metadata':{'name':'%s'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}"
            .formatted(name));
  }

  @Test
  void claim_thatNoPodUses_isDeleted() {
    assertThat(claim("free").meta().finalizers()).containsExactly("kubernetes.io/pvc-protection");

    server.client().delete(CLAIMS, "default", "free", DELETE);

    Eventually.assertEventually(() -> assertThat(get(CLAIMS, "default", "free")).isEmpty());
  }

  @Test
  void claim_ofAScheduledPod_isDeletedAfterThePod() {
    ApiObject made = claim("used");
    String pod =
        "{'metadata':{'name':'%s'},'spec':{%s'terminationGracePeriodSeconds':0,"
            + "'containers':[{'name':'c','image':'i'}],"
            + "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'used'}}]}}";
    create(PODS, "default", pod.formatted("scheduled", "'nodeName':'n',"));
    create(PODS, "default", pod.formatted("pending", ""));

    server.client().delete(CLAIMS, "default", "used", DELETE);
    // the workers have seen the deletion when a later one is done
    claim("later");
    server.client().delete(CLAIMS, "default", "later", DELETE);
    Eventually.assertEventually(() -> assertThat(get(CLAIMS, "default", "later")).isEmpty());
    ApiObject held = get(CLAIMS, "default", "used").orElseThrow();
    assertThat(held.meta().uid()).isEqualTo(made.meta().uid());
    assertThat(held.meta().deleting()).isTrue();

    server.client().delete(PODS, "default", "scheduled", DELETE);

    Eventually.assertEventually(() -> assertThat(get(CLAIMS, "default", "used")).isEmpty());
    assertThat(get(PODS, "default", "pending")).isPresent();
  }

  @Test
  void volume_thatIsBound_isDeletedWhenItIsReleased() {
    ApiObject made =
        create(
            VOLUMES,
            "",
            "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'hostPath':{'path':'/v'}}}");
    assertThat(made.meta().finalizers()).containsExactly("kubernetes.io/pv-protection");
    phase("Bound");

    server.client().delete(VOLUMES, "", "v", DELETE);
    assertThat(get(VOLUMES, "", "v").orElseThrow().meta().deleting()).isTrue();
    phase("Released");

    Eventually.assertEventually(() -> assertThat(get(VOLUMES, "", "v")).isEmpty());
  }

  private void phase(String phase) {
    assertThat(
            server
                .client()
                .changeStatus(
                    VOLUMES,
                    "",
                    "v",
                    volume ->
                        volume.with(
                            "status", volume.root().map("status").with("phase", Node.text(phase)))))
        .isPresent();
  }

  @Test
  void attributesClass_isDeletedWhenNoClaimAndNoVolumeNamesIt() {
    ApiObject made = attributesClass("used");
    assertThat(made.meta().finalizers()).containsExactly("kubernetes.io/vac-protection");
    attributesClass("free");
    create(
        CLAIMS,
        "default",
        "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'','volumeAttributesClassName':'used','resources':{'requests':{'storage':'1Gi'}}}}");
    create(
        VOLUMES,
        "",
        "{'metadata':{'name':'v'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],'storageClassName':'other','volumeAttributesClassName':'used','csi':{'driver':'d','volumeHandle':'h'}}}");

    server.client().delete(CLASSES, "", "used", DELETE);
    server.client().delete(CLASSES, "", "free", DELETE);
    Eventually.assertEventually(() -> assertThat(get(CLASSES, "", "free")).isEmpty());
    server.client().delete(CLAIMS, "default", "c", DELETE);
    Eventually.assertEventually(() -> assertThat(get(CLAIMS, "default", "c")).isEmpty());
    assertThat(get(CLASSES, "", "used").orElseThrow().meta().deleting()).isTrue();

    server.client().delete(VOLUMES, "", "v", DELETE);

    Eventually.assertEventually(() -> assertThat(get(CLASSES, "", "used")).isEmpty());
  }

  private ApiObject attributesClass(String name) {
    return server
        .client()
        .create(
            CLASSES,
            "",
            AdmissionCalls.object(
                "storage.k8s.io/v1",
                "volumeattributesclasses",
                "{'metadata':{'name':'%s'},'driverName':'d','parameters':{'a':'b'}}"
                    .formatted(name)));
  }

  @Test
  void finalizer_thatIsMissing_isAdded() {
    claim("bare");
    assertThat(
            server
                .client()
                .change(
                    CLAIMS,
                    "default",
                    "bare",
                    object -> object.withMeta(object.meta().without("finalizers"))))
        .isPresent();

    Eventually.assertEventually(
        () ->
            assertThat(get(CLAIMS, "default", "bare").orElseThrow().meta().finalizers())
                .containsExactly("kubernetes.io/pvc-protection"));
  }

  @Test
  void podsOfRestrictedNamespace_mustBeHardened() {
    String namespace =
        "{'metadata':{'name':'%s','labels':{'pod-security.kubernetes.io/enforce':'baseline'}}}";
    create(NAMESPACES, "", namespace.formatted("tight"));
    create(NAMESPACES, "", namespace.formatted("exempt"));
    Eventually.assertEventually(
        () ->
            assertThat(
                    List.of("tight", "exempt").stream()
                        .allMatch(
                            name ->
                                server
                                    .client()
                                    .get(
                                        GroupVersion.CORE_V1.resource("serviceaccounts"),
                                        name,
                                        "default")
                                    .isPresent()))
                .isTrue());
    String pod =
        "{'metadata':{'name':'p'},'spec':{'hostNetwork':true,'containers':[{'name':'c','image':'i'}]}}";

    assertThatThrownBy(() -> create(PODS, "tight", pod))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": host namespaces"
                + " (hostNetwork=true)");
    assertThat(create(PODS, "exempt", pod).meta().name()).isEqualTo("p");
    MapNode spec = create(PODS, "default", pod).root().map("spec");
    assertThat(spec.get("hostNetwork")).isEqualTo(Node.Bool.TRUE);
  }
}
