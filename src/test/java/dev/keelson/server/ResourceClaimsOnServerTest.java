package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller of ResourceClaims in a server, with the role of Kubernetes. */
final class ResourceClaimsOnServerTest {

  private static final GroupVersionResource PODS = AdministeredServer.core("pods");
  private static final GroupVersion GROUP = new GroupVersion("resource.k8s.io", "v1");
  private static final GroupVersionResource CLAIMS = GROUP.resource("resourceclaims");
  private static final GroupVersionResource TEMPLATES = GROUP.resource("resourceclaimtemplates");
  private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
  private static final String SPEC =
      "{'devices':{'requests':[{'name':'gpu','exactly':{'deviceClassName':'gpus'}}]}}";

  @TempDir private Path directory;
  private AdministeredServer server;

  @BeforeEach
  void start() {
    server = new AdministeredServer(directory, "resource-claim-controller,serviceaccount");
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

  private ApiObject pod(String claim) throws InterruptedException {
    return server.create(
        PODS,
        "Pod",
        ("{'metadata':{'name':'web','namespace':'default'},'spec':{'resourceClaims':[{'name':'dev',%s}],"
                + "'containers':[{'name':'main','image':'nginx','resources':{'claims':[{'name':'dev'}]}}]}}")
            .formatted(claim));
  }

  private MapNode claim(String name) {
    return server.find(CLAIMS, "default", name);
  }

  private void delete(GroupVersionResource type, String name) throws InterruptedException {
    server.user.delete(
        type, "default", name, new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT, 0L));
  }

  private String told() {
    List<MapNode> statuses =
        server.find(PODS, "default", "web").map("status").maps("resourceClaimStatuses");
    return statuses.isEmpty() ? "" : statuses.getFirst().text("resourceClaimName");
  }

  @Test
  void template_makesAClaimForAPodUntilItEnds() throws Exception {
    ApiObject pod = pod("'resourceClaimTemplateName':'gpus'");
    Eventually.assertEventually(
        () ->
            assertThat(server.events("default"))
                .contains(
                    "FailedResourceClaimCreation: PodResourceClaim dev: resource claim template"
                        + " \"gpus\": resourceclaimtemplate.resource.k8s.io \"gpus\" not found"));
    ApiObject unused =
        server.create(
            TEMPLATES,
            "ResourceClaimTemplate",
            "{'metadata':{'name':'gpus','namespace':'default'},'spec':{'metadata':{'labels':{"
                + "'a':'b'}},'spec':"
                + SPEC
                + "}}");

    Eventually.assertEventually(() -> assertThat(told()).startsWith("web-dev-"));
    String name = told();
    MapNode metadata = claim(name).map("metadata");
    assertThat(metadata.map("labels").text("a")).isEqualTo("b");
    assertThat(metadata.map("annotations").text("resource.kubernetes.io/pod-claim-name"))
        .isEqualTo("dev");
    assertThat(metadata.maps("ownerReferences"))
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.text("uid")).isEqualTo(pod.meta().uid());
              assertThat(owner.get("controller")).isEqualTo(Node.Bool.TRUE);
              assertThat(owner.has("blockOwnerDeletion")).isFalse();
            });
    assertThat(server.list(CLAIMS, "default")).hasSize(1);

    delete(CLAIMS, name);
    Eventually.assertEventually(() -> assertThat(told()).startsWith("web-dev-").isNotEqualTo(name));

    server.patch(PODS, "default", "web", "status", "{'status':{'phase':'Succeeded'}}");
    Eventually.assertEventually(() -> assertThat(server.list(CLAIMS, "default")).isEmpty());
  }

  @Test
  void claim_losesItsAllocationWithItsLastPod() throws Exception {
    ApiObject pod = pod("'resourceClaimName':'shared'");
    ApiObject created =
        server.create(
            CLAIMS,
            "ResourceClaim",
            "{'metadata':{'name':'shared','namespace':'default','finalizers':['%s']},'spec':%s}"
                .formatted(FINALIZER, SPEC));
    assertThat(created.meta().finalizers()).contains(FINALIZER);
    server.patch(
        CLAIMS,
        "default",
        "shared",
        "status",
        ("{'status':{'allocation':{'devices':{'results':[{'request':'gpu','driver':'d.example.com',"
                + "'pool':'p','device':'g'}]}},'reservedFor':[{'resource':'pods','name':'web','uid':'%s'}]}}")
            .formatted(pod.meta().uid()));
    assertThat(claim("shared").map("status").has("allocation")).isTrue();

    delete(PODS, "web");

    Eventually.assertEventually(
        () -> assertThat(claim("shared").map("status").has("reservedFor")).isFalse());
    Eventually.assertEventually(
        () -> assertThat(claim("shared").map("metadata").has("finalizers")).isFalse());
    assertThat(claim("shared").map("status").has("allocation")).isFalse();
  }

  @Test
  void reservationOfAPodThatHasEnded_goes_andOthersStay() throws Exception {
    ApiObject pod = pod("'resourceClaimName':'shared'");
    ApiObject unused =
        server.create(
            CLAIMS,
            "ResourceClaim",
            "{'metadata':{'name':'shared','namespace':'default'},'spec':%s}".formatted(SPEC));
    server.patch(
        CLAIMS,
        "default",
        "shared",
        "status",
        ("{'status':{'allocation':{'devices':{'results':[{'request':'gpu','driver':'d.example.com',"
                + "'pool':'p','device':'g'}]}},'reservedFor':[{'apiGroup':'foo.com','resource':'foo',"
                + "'name':'foo','uid':'123'},{'resource':'pods','name':'web','uid':'%s'}]}}")
            .formatted(pod.meta().uid()));

    server.patch(PODS, "default", "web", "status", "{'status':{'phase':'Succeeded'}}");

    Eventually.assertEventually(
        () ->
            assertThat(claim("shared").map("status").maps("reservedFor"))
                .singleElement()
                .satisfies(consumer -> assertThat(consumer.text("resource")).isEqualTo("foo")));
    assertThat(claim("shared").map("status").has("allocation")).isTrue();
  }

  /** A scheduler makes such a claim for a pod whose containers request a resource of drivers. */
  @Test
  void claimOfExtendedResources_goesWhenItsPodHasEnded() throws Exception {
    ApiObject pod =
        server.create(
            PODS,
            "Pod",
            "{'metadata':{'name':'web','namespace':'default'},'spec':{'containers':[{'name':'main',"
                + "'image':'nginx','resources':{'requests':{'example.com/gpu':'1'},"
                + "'limits':{'example.com/gpu':'1'}}}]}}");
    ApiObject unused =
        server.create(
            CLAIMS,
            "ResourceClaim",
            ("{'metadata':{'name':'extended','namespace':'default','finalizers':['%s'],"
                    + "'annotations':{'resource.kubernetes.io/extended-resource-claim':'true'},"
                    + "'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'web','uid':'%s',"
                    + "'controller':true}]},'spec':%s}")
                .formatted(FINALIZER, pod.meta().uid(), SPEC));
    server.patch(
        CLAIMS,
        "default",
        "extended",
        "status",
        ("{'status':{'allocation':{'devices':{'results':[{'request':'gpu','driver':'d.example.com',"
                + "'pool':'p','device':'g'}]}},'reservedFor':[{'resource':'pods','name':'web','uid':'%s'}]}}")
            .formatted(pod.meta().uid()));
    server.patch(
        PODS,
        "default",
        "web",
        "status",
        "{'status':{'phase':'Running','extendedResourceClaimStatus':{'resourceClaimName':'extended',"
            + "'requestMappings':[{'containerName':'main','resourceName':'example.com/gpu',"
            + "'requestName':'gpu'}]}}}");
    assertThat(claim("extended").map("status").has("allocation")).isTrue();

    server.patch(PODS, "default", "web", "status", "{'status':{'phase':'Succeeded'}}");

    Eventually.assertEventually(() -> assertThat(server.list(CLAIMS, "default")).isEmpty());
  }
}
