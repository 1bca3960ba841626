package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binder and the claims of ephemeral volumes in a server, with the roles of Kubernetes. */
final class VolumesOnServerTest {

  private static final GroupVersionResource VOLUMES = AdministeredServer.core("persistentvolumes");
  private static final GroupVersionResource CLAIMS =
      AdministeredServer.core("persistentvolumeclaims");
  private static final GroupVersionResource CLASSES =
      new GroupVersion("storage.k8s.io", "v1").resource("storageclasses");
  private static final String COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() {
    server =
        new AdministeredServer(
            directory,
            "persistentvolume-binder,persistentvolume-expander,ephemeral-volume,serviceaccount,"
                + "pvc-protection,pv-protection");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private void volume(String name, String size, String more) throws InterruptedException {
    ApiObject unused =
        server.create(
            VOLUMES,
            "PersistentVolume",
            "{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'%s'},'nfs':{'server':'a','path':'/'},'accessModes':['ReadWriteOnce']%s}}"
                .formatted(name, size, more));
  }

  private void claim(String name, String size, String more) throws InterruptedException {
    ApiObject unused =
        server.create(
            CLAIMS,
            "PersistentVolumeClaim",
            "{'metadata':{'name':'%s','namespace':'default'},'spec':{'resources':{'requests':{'storage':'%s'}},'accessModes':['ReadWriteOnce']%s}}"
                .formatted(name, size, more));
  }

  private MapNode claim(String name) {
    return server.find(CLAIMS, "default", name);
  }

  private MapNode volume(String name) {
    return server.find(VOLUMES, "", name);
  }

  private static String phase(MapNode object) {
    return object.map("status").text("phase");
  }

  private void delete(GroupVersionResource type, String namespace, String name)
      throws InterruptedException {
    server.user.delete(
        type, namespace, name, new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));
  }

  private void assertEvent(String text) {
    Eventually.assertEventually(
        () -> assertThat(server.events("default")).anyMatch(event -> event.startsWith(text)));
  }

  @Test
  void claim_isBoundToTheSmallestVolumeAndReleasesIt() throws Exception {
    volume("large", "10Gi", "");
    volume("small", "2Gi", "");
    Eventually.assertEventually(() -> assertThat(phase(volume("small"))).isEqualTo("Available"));
    Eventually.assertEventually(() -> assertThat(phase(volume("large"))).isEqualTo("Available"));
    claim("data", "1Gi", "");

    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Bound"));
    MapNode data = claim("data");
    assertThat(data.map("spec").text("volumeName")).isEqualTo("small");
    assertThat(data.map("status").map("capacity").text("storage")).isEqualTo("2Gi");
    assertThat(data.map("metadata").map("annotations").texts())
        .containsEntry(COMPLETED, "yes")
        .containsEntry(BY_CONTROLLER, "yes");
    MapNode small = volume("small");
    assertThat(phase(small)).isEqualTo("Bound");
    assertThat(small.map("spec").map("claimRef").text("uid"))
        .isEqualTo(data.map("metadata").text("uid"));
    assertThat(small.map("metadata").map("annotations").texts()).containsKey(BY_CONTROLLER);

    delete(CLAIMS, "default", "data");
    Eventually.assertEventually(() -> assertThat(phase(volume("small"))).isEqualTo("Released"));
    claim("data", "1Gi", ",'volumeName':'small'");
    assertEvent("FailedBinding: volume \"small\" already bound to a different claim.");
    assertThat(phase(volume("large"))).isEqualTo("Available");
  }

  @Test
  void volumesThatCannotBeReclaimed_fail() throws Exception {
    volume("deleted", "1Gi", ",'persistentVolumeReclaimPolicy':'Delete'");
    claim("data", "1Gi", ",'volumeName':'deleted'");
    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Bound"));
    assertThat(claim("data").map("metadata").map("annotations").texts())
        .containsKey(COMPLETED)
        .doesNotContainKey(BY_CONTROLLER);

    delete(CLAIMS, "default", "data");

    Eventually.assertEventually(() -> assertThat(phase(volume("deleted"))).isEqualTo("Failed"));
    assertThat(volume("deleted").map("status").text("message"))
        .isEqualTo(
            "error getting deleter volume plugin for volume \"deleted\": no deletable volume"
                + " plugin matched");
    assertEvent("VolumeFailedDelete: error getting deleter volume plugin");
  }

  @Test
  void claimWithoutVolume_waitsUntilOneComes() throws Exception {
    claim("data", "1Gi", "");
    assertEvent(
        "FailedBinding: no persistent volumes available for this claim and no storage class is"
            + " set");
    claim("other", "1Gi", ",'storageClassName':'nothing'");
    assertEvent("ProvisioningFailed: storageclass.storage.k8s.io \"nothing\" not found");
    assertThat(phase(claim("data"))).isEqualTo("Pending");

    volume("late", "1Gi", "");

    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Bound"));
    delete(VOLUMES, "", "late");
    // the protection of volumes keeps it; somebody else removes it by force
    server.patch(VOLUMES, "", "late", "", "{'metadata':{'finalizers':null}}");
    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Lost"));
    assertEvent(
        "ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  }

  @Test
  void claimOfAClass_isLeftToItsProvisioner() throws Exception {
    ApiObject unused =
        server.create(
            CLASSES,
            "StorageClass",
            "{'metadata':{'name':'late','annotations':{"
                + "'storageclass.kubernetes.io/is-default-class':'true'}},"
                + "'provisioner':'csi.example.com','volumeBindingMode':'WaitForFirstConsumer'}");
    claim("data", "1Gi", "");
    assertEvent("WaitForFirstConsumer: waiting for first consumer to be created before binding");

    server.patch(
        CLAIMS,
        "default",
        "data",
        "",
        "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'a'}}}");

    assertEvent(
        "ExternalProvisioning: Waiting for a volume to be created either by the external"
            + " provisioner 'csi.example.com' or manually by the system administrator.");
    assertThat(claim("data").map("metadata").map("annotations").texts())
        .containsEntry("volume.kubernetes.io/storage-provisioner", "csi.example.com")
        .containsEntry("volume.beta.kubernetes.io/storage-provisioner", "csi.example.com");
    String uid = claim("data").map("metadata").text("uid");
    volume(
        "made",
        "1Gi",
        ",'storageClassName':'late','claimRef':{'namespace':'default','name':'data','uid':'%s'}"
            .formatted(uid));
    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Bound"));
  }

  @Test
  void volumeOfAReplacedPlugIn_namesTheDriver() throws Exception {
    ApiObject unusedVolume =
        server.create(
            VOLUMES,
            "PersistentVolume",
            "{'metadata':{'name':'old','annotations':{'pv.kubernetes.io/provisioned-by':"
                + "'kubernetes.io/gce-pd'}},'spec':{'capacity':{'storage':'1Gi'},"
                + "'gcePersistentDisk':{'pdName':'a'},'accessModes':['ReadWriteOnce']}}");
    ApiObject unusedClaim =
        server.create(
            CLAIMS,
            "PersistentVolumeClaim",
            "{'metadata':{'name':'data','namespace':'default','annotations':{"
                + "'volume.beta.kubernetes.io/storage-provisioner':'kubernetes.io/cinder',"
                + "'pv.kubernetes.io/migrated-to':'other.example.com'}},'spec':{"
                + "'storageClassName':'none','accessModes':['ReadWriteOnce'],'resources':{"
                + "'requests':{'storage':'1Gi'}}}}");
    ApiObject unusedOther =
        server.create(
            VOLUMES,
            "PersistentVolume",
            "{'metadata':{'name':'new','annotations':{'pv.kubernetes.io/provisioned-by':"
                + "'csi.example.com','pv.kubernetes.io/migrated-to':'other.example.com'}},'spec':{"
                + "'capacity':{'storage':'1Gi'},'csi':{'driver':'csi.example.com','volumeHandle':"
                + "'a'},'accessModes':['ReadWriteOnce']}}");

    Eventually.assertEventually(
        () -> {
          assertThat(volume("old").map("metadata").map("annotations").texts())
              .containsEntry("pv.kubernetes.io/migrated-to", "pd.csi.storage.gke.io");
          assertThat(claim("data").map("metadata").map("annotations").texts())
              .containsEntry("pv.kubernetes.io/migrated-to", "cinder.csi.openstack.org");
          assertThat(volume("new").map("metadata").map("annotations").texts())
              .doesNotContainKey("pv.kubernetes.io/migrated-to");
          assertThat(phase(volume("old"))).isEqualTo("Available");
        });
  }

  private void growing(String name, String source) throws InterruptedException {
    ApiObject unused =
        server.create(
            VOLUMES,
            "PersistentVolume",
            ("{'metadata':{'name':'%s'},'spec':{'capacity':{'storage':'1Gi'},%s,"
                    + "'storageClassName':'growing','accessModes':['ReadWriteOnce']}}")
                .formatted(name, source));
    claim(name, "1Gi", ",'storageClassName':'growing','volumeName':'" + name + "'");
    Eventually.assertEventually(() -> assertThat(phase(claim(name))).isEqualTo("Bound"));
    server.patch(
        CLAIMS, "default", name, "", "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
  }

  @Test
  void claimThatGrows_isLeftToTheResizerOfItsVolume() throws Exception {
    ApiObject unused =
        server.create(
            CLASSES,
            "StorageClass",
            "{'metadata':{'name':'growing'},'provisioner':'csi.example.com',"
                + "'allowVolumeExpansion':true}");
    growing("data", "'csi':{'driver':'csi.example.com','volumeHandle':'a'}");
    assertEvent("ExternalExpanding: waiting for an external controller to expand this PVC");

    growing("disk", "'awsElasticBlockStore':{'volumeID':'vol-1'}");

    assertEvent(
        "ExternalExpanding: CSI migration enabled for kubernetes.io/aws-ebs; waiting for external"
            + " resizer to expand the pvc");
    Eventually.assertEventually(
        () ->
            assertThat(claim("disk").map("metadata").map("annotations").texts())
                .containsEntry("volume.kubernetes.io/storage-resizer", "ebs.csi.aws.com"));
  }

  @Test
  void claimWithASelectedNode_takesAVolumeOfThatNode() throws Exception {
    ApiObject local =
        server.create(
            CLASSES,
            "StorageClass",
            "{'metadata':{'name':'local'},'provisioner':'kubernetes.io/no-provisioner',"
                + "'volumeBindingMode':'WaitForFirstConsumer'}");
    assertThat(local.meta().name()).isEqualTo("local");
    for (String node : new String[] {"a", "b"}) {
      ApiObject unused =
          server.create(
              AdministeredServer.core("nodes"),
              "Node",
              "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'}}}"
                  .formatted(node, node));
      volume(
          "on-" + node,
          "1Gi",
          ",'storageClassName':'local','nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':'In','values':['%s']}]}]}}"
              .formatted(node));
      Eventually.assertEventually(
          () -> assertThat(phase(volume("on-" + node))).isEqualTo("Available"));
    }
    claim("data", "1Gi", ",'storageClassName':'local'");
    assertEvent("WaitForFirstConsumer");

    server.patch(
        CLAIMS,
        "default",
        "data",
        "",
        "{'metadata':{'annotations':{'volume.kubernetes.io/selected-node':'b'}}}");

    Eventually.assertEventually(() -> assertThat(phase(claim("data"))).isEqualTo("Bound"));
    assertThat(claim("data").map("spec").text("volumeName")).isEqualTo("on-b");
  }

  @Test
  void ephemeralVolume_getsAClaimOfItsPod() throws Exception {
    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .find(AdministeredServer.core("serviceaccounts"), "default", "default")
                        .isEmpty())
                .isFalse());
    ApiObject pod =
        server.create(
            AdministeredServer.core("pods"),
            "Pod",
            "{'metadata':{'name':'web','namespace':'default'},'spec':{'containers':[{'name':'main',"
                + "'image':'nginx'}],'volumes':[{'name':'scratch','ephemeral':{"
                + "'volumeClaimTemplate':{'metadata':{'labels':{'app':'web'}},'spec':{"
                + "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}}}]}}");

    Eventually.assertEventually(() -> assertThat(claim("web-scratch").isEmpty()).isFalse());
    MapNode metadata = claim("web-scratch").map("metadata");
    assertThat(metadata.map("labels").text("app")).isEqualTo("web");
    assertThat(metadata.maps("ownerReferences"))
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.text("kind")).isEqualTo("Pod");
              assertThat(owner.text("uid")).isEqualTo(pod.meta().uid());
            });
    server.patch(CLAIMS, "default", "web-scratch", "", "{'metadata':{'finalizers':null}}");
    delete(CLAIMS, "default", "web-scratch");
    Eventually.assertEventually(
        () ->
            assertThat(claim("web-scratch").map("metadata").text("uid"))
                .isNotEmpty()
                .isNotEqualTo(metadata.text("uid")));
  }
}
