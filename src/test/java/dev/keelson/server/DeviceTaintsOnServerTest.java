package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.controller.devicetaint.DeviceTaintEvictionController;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The eviction of pods from tainted devices in a server, with the role of Kubernetes. */
final class DeviceTaintsOnServerTest {

  private static final GroupVersionResource PODS = AdministeredServer.core("pods");
  private static final GroupVersion GROUP = new GroupVersion("resource.k8s.io", "v1");
  private static final GroupVersionResource CLAIMS = GROUP.resource("resourceclaims");
  private static final GroupVersionResource SLICES = GROUP.resource("resourceslices");

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        new AdministeredServer(directory, DeviceTaintEvictionController.NAME + ",serviceaccount");
    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .find(AdministeredServer.core("serviceaccounts"), "default", "default")
                        .isEmpty())
                .isFalse());
    ApiObject unused =
        server.create(
            SLICES,
            "ResourceSlice",
            "{'metadata':{'name':'s'},'spec':{'driver':'d.example.com','allNodes':true,'pool':{"
                + "'name':'p','generation':1,'resourceSliceCount':1},'devices':[{'name':'a'},"
                + "{'name':'b'}]}}");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  /** A pod on a node, whose claim has a device. */
  private void user(String name, String device, String tolerations) throws InterruptedException {
    ApiObject pod =
        server.create(
            PODS,
            "Pod",
            ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'nodeName':'n',"
                    + "'resourceClaims':[{'name':'dev','resourceClaimName':'%1$s'}],'containers':[{"
                    + "'name':'main','image':'nginx','resources':{'claims':[{'name':'dev'}]}}]}}")
                .formatted(name));
    ApiObject unused =
        server.create(
            CLAIMS,
            "ResourceClaim",
            ("{'metadata':{'name':'%s','namespace':'default'},'spec':{'devices':{'requests':[{"
                    + "'name':'r','exactly':{'deviceClassName':'c','tolerations':[%s]}}]}}}")
                .formatted(name, tolerations));
    server.patch(
        CLAIMS,
        "default",
        name,
        "status",
        ("{'status':{'allocation':{'devices':{'results':[{'request':'r','driver':'d.example.com',"
                + "'pool':'p','device':'%s','tolerations':[%s]}]}},'reservedFor':[{'resource':"
                + "'pods','name':'%s','uid':'%s'}]}}")
            .formatted(device, tolerations, name, pod.meta().uid()));
  }

  private void taint(String taints) throws InterruptedException {
    server.patch(
        SLICES,
        "",
        "s",
        "",
        "{'spec':{'devices':[{'name':'a','taints':[%1$s]},{'name':'b','taints':[%1$s]}]}}"
            .formatted(taints));
  }

  private MapNode pod(String name) {
    return server.find(PODS, "default", name);
  }

  private boolean deleting(String name) {
    return pod(name).map("metadata").has("deletionTimestamp");
  }

  private long told(String message) {
    return server.events("default").stream()
        .filter(("DeviceTaintManagerEviction: " + message)::equals)
        .count();
  }

  @Test
  void taintOfADevice_evictsThePodsThatUseIt() throws Exception {
    user("web", "a", "");
    user("patient", "b", "{'key':'broken','operator':'Exists','effect':'NoExecute'}");
    taint("{'key':'broken','effect':'NoSchedule'}");
    assertThat(deleting("web")).isFalse();

    taint("{'key':'broken','effect':'NoExecute'}");

    Eventually.assertEventually(() -> assertThat(deleting("web")).isTrue());
    assertThat(pod("web").map("status").maps("conditions"))
        .anySatisfy(
            condition -> {
              assertThat(condition.text("type")).isEqualTo("DisruptionTarget");
              assertThat(condition.text("status")).isEqualTo("True");
              assertThat(condition.text("reason")).isEqualTo("DeletionByDeviceTaintManager");
              assertThat(condition.text("message"))
                  .isEqualTo("Device Taint manager: deleting due to NoExecute taint");
            });
    Eventually.assertEventually(() -> assertThat(told("Marking for deletion")).isOne());
    assertThat(deleting("patient")).isFalse();

    // a pod that comes to a tainted device goes as well
    user("late", "a", "");
    Eventually.assertEventually(() -> assertThat(deleting("late")).isTrue());
  }

  @Test
  void podThatToleratesATaintForATime_mayStayWhenTheTaintGoes() throws Exception {
    user("web", "a", "");
    user(
        "patient",
        "b",
        "{'key':'broken','operator':'Exists','effect':'NoExecute','tolerationSeconds':3600}");
    taint("{'key':'broken','effect':'NoExecute'}");
    Eventually.assertEventually(() -> assertThat(deleting("web")).isTrue());
    assertThat(deleting("patient")).isFalse();

    taint("");

    Eventually.assertEventually(() -> assertThat(told("Cancelling deletion")).isOne());
    assertThat(deleting("patient")).isFalse();
  }

  @Test
  void time_countsFromWhenTheTaintWasAdded() throws Exception {
    user(
        "patient",
        "a",
        "{'key':'broken','operator':'Exists','effect':'NoExecute','tolerationSeconds':3600}");

    taint("{'key':'broken','effect':'NoExecute','timeAdded':'2026-01-01T00:00:00Z'}");

    Eventually.assertEventually(() -> assertThat(deleting("patient")).isTrue());
  }
}
