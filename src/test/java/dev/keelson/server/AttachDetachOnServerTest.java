package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.controller.volume.AttachDetachController;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller that attaches volumes, with the role of Kubernetes; drivers are played. */
final class AttachDetachOnServerTest {

  private static final GroupVersionResource PODS = AdministeredServer.core("pods");
  private static final GroupVersionResource NODES = AdministeredServer.core("nodes");
  private static final GroupVersionResource CLAIMS =
      AdministeredServer.core("persistentvolumeclaims");
  private static final GroupVersionResource VOLUMES = AdministeredServer.core("persistentvolumes");
  private static final GroupVersion STORAGE = new GroupVersion("storage.k8s.io", "v1");
  private static final GroupVersionResource ATTACHMENTS = STORAGE.resource("volumeattachments");
  private static final String UNIQUE = "kubernetes.io/csi/d.example.com^handle";

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() throws Exception {
    server = new AdministeredServer(directory, AttachDetachController.NAME + ",serviceaccount");
    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .find(AdministeredServer.core("serviceaccounts"), "default", "default")
                        .isEmpty())
                .isFalse());
    for (String node : List.of("n1", "n2")) {
      ApiObject unused =
          server.create(
              NODES,
              "Node",
              ("{'metadata':{'name':'%s','annotations':{"
                      + "'volumes.kubernetes.io/controller-managed-attach-detach':'true'}}}")
                  .formatted(node));
      server.patch(
          NODES,
          "",
          node,
          "status",
          "{'status':{'conditions':[{'type':'Ready','status':'True','reason':'x'}]}}");
    }
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** A claim that is bound to a volume of a driver. */
  private void volume(String mode) throws InterruptedException {
    ApiObject claim =
        server.create(
            CLAIMS,
            "PersistentVolumeClaim",
            ("{'metadata':{'name':'c','namespace':'default'},'spec':{'accessModes':['%s'],"
                    + "'storageClassName':'','volumeName':'v','resources':{'requests':{"
                    + "'storage':'1Gi'}}}}")
                .formatted(mode));
    ApiObject unused =
        server.create(
            VOLUMES,
            "PersistentVolume",
            ("{'metadata':{'name':'v'},'spec':{'accessModes':['%s'],'capacity':{'storage':'1Gi'},"
                    + "'csi':{'driver':'d.example.com','volumeHandle':'handle'},'claimRef':{"
                    + "'namespace':'default','name':'c','uid':'%s'}}}")
                .formatted(mode, claim.meta().uid()));
    server.patch(CLAIMS, "default", "c", "status", "{'status':{'phase':'Bound'}}");
  }

  private void pod(String name, String node) throws InterruptedException {
    ApiObject unused =
        server.create(
            PODS,
            "Pod",
            ("{'metadata':{'name':'%s','namespace':'default'},'spec':{'nodeName':'%s',"
                    + "'containers':[{'name':'main','image':'nginx'}],'volumes':[{'name':'data',"
                    + "'persistentVolumeClaim':{'claimName':'c'}}]}}")
                .formatted(name, node));
  }

  private void delete(String pod) throws InterruptedException {
    server.user.delete(
        PODS, "default", pod, new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT, 0L));
  }

  private List<ApiObject> attachments() {
    return server.list(ATTACHMENTS, "");
  }

  /** The node of the only attachment; empty if there is none. */
  private String place() {
    List<ApiObject> all = attachments();
    assertThat(all).hasSizeLessThan(2);
    return all.isEmpty() ? "" : all.getFirst().root().map("spec").text("nodeName");
  }

  private void awaitPlace(String node) {
    Eventually.assertEventually(() -> assertThat(place()).isEqualTo(node));
  }

  /** Plays the driver. */
  private void driver(String status) throws InterruptedException {
    server.patch(
        ATTACHMENTS,
        "",
        attachments().getFirst().meta().name(),
        "status",
        "{'status':{" + status + "}}");
  }

  private void inUse(String node, String volumes) throws InterruptedException {
    server.patch(NODES, "", node, "status", "{'status':{'volumesInUse':[" + volumes + "]}}");
  }

  private List<MapNode> attached(String node) {
    return server.find(NODES, "", node).map("status").maps("volumesAttached");
  }

  private void awaitEvent(String text) {
    Eventually.assertEventually(() -> assertThat(server.events("default")).contains(text));
  }

  @Test
  void volume_isAttachedForAPod_andDetachedWhenItIsUnmounted() throws Exception {
    volume("ReadWriteOnce");
    pod("web", "n1");

    awaitPlace("n1");
    MapNode attachment = attachments().getFirst().root();
    assertThat(attachment.map("metadata").text("name"))
        .isEqualTo("csi-3cef7ad7b993ee187421ca46a08543272b6e4bf2628ba70c9295ef08890db993");
    assertThat(attachment.map("spec").text("attacher")).isEqualTo("d.example.com");
    assertThat(attachment.map("spec").map("source").text("persistentVolumeName")).isEqualTo("v");
    assertThat(attached("n1")).isEmpty();

    driver("'attached':false,'attachError':{'message':'no room'}");
    awaitEvent("FailedAttachVolume: AttachVolume.Attach failed for volume \"v\" : no room");
    driver("'attached':true,'attachError':null");
    awaitEvent("SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume \"v\" ");
    Eventually.assertEventually(
        () ->
            assertThat(attached("n1"))
                .singleElement()
                .satisfies(each -> assertThat(each.text("name")).isEqualTo(UNIQUE)));

    // another node cannot have it meanwhile
    inUse("n1", "'" + UNIQUE + "'");
    pod("other", "n2");
    awaitEvent(
        "FailedAttachVolume: Multi-Attach error for volume \"v\" Volume is already used by pod(s)"
            + " web");
    delete("web");
    assertThat(place()).isEqualTo("n1");
    assertThat(attached("n1")).hasSize(1);

    inUse("n1", "");
    awaitPlace("n2");
    assertThat(attached("n1")).isEmpty();
  }

  @Test
  void volumeForMany_isAttachedToSeveralNodes_andDetachedFromANodeOutOfService() throws Exception {
    volume("ReadWriteMany");
    pod("web", "n1");
    pod("other", "n2");
    Eventually.assertEventually(() -> assertThat(attachments()).hasSize(2));
    inUse("n1", "'" + UNIQUE + "'");

    server.patch(
        NODES,
        "",
        "n1",
        "",
        "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','effect':'NoExecute'}]}}");
    delete("web");

    awaitPlace("n2");
  }

  @Test
  void driverThatAttachesNothing_isNotAsked() throws Exception {
    ApiObject unused =
        server.create(
            STORAGE.resource("csidrivers"),
            "CSIDriver",
            "{'metadata':{'name':'d.example.com'},'spec':{'attachRequired':false}}");
    volume("ReadWriteMany");
    pod("web", "n1");
    // the volume of another driver comes later, so that both have been looked at
    ApiObject unused2 =
        server.create(
            CLAIMS,
            "PersistentVolumeClaim",
            "{'metadata':{'name':'later','namespace':'default'},'spec':{'accessModes':["
                + "'ReadWriteOnce'],'storageClassName':'','volumeName':'w','resources':{"
                + "'requests':{'storage':'1Gi'}}}}");
    ApiObject unused3 =
        server.create(
            VOLUMES,
            "PersistentVolume",
            "{'metadata':{'name':'w'},'spec':{'accessModes':['ReadWriteOnce'],'capacity':{"
                + "'storage':'1Gi'},'csi':{'driver':'e.example.com','volumeHandle':'other'},"
                + "'claimRef':{'namespace':'default','name':'later'}}}");
    server.patch(CLAIMS, "default", "later", "status", "{'status':{'phase':'Bound'}}");
    ApiObject unused4 =
        server.create(
            PODS,
            "Pod",
            "{'metadata':{'name':'late','namespace':'default'},'spec':{'nodeName':'n1',"
                + "'containers':[{'name':'main','image':'nginx'}],'volumes':[{'name':'data',"
                + "'persistentVolumeClaim':{'claimName':'later'}}]}}");

    awaitPlace("n1");
    assertThat(attachments().getFirst().root().map("spec").text("attacher"))
        .isEqualTo("e.example.com");
  }
}
